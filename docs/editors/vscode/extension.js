'use strict';
// The extension's start and end, its settings and its commands.

const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');
const { Client } = require('./client');

let client;

/** A path in which `~/` is the home folder, as in a shell. */
const expanded = (name) => name.startsWith('~/') ? path.join(os.homedir(), name.slice(2)) : name;

function settings() {
  const values = vscode.workspace.getConfiguration('pipeline');
  return {
    path: expanded(values.get('path') || 'pipeline'), root: expanded(values.get('root') ?? ''), files: values.get('files') ?? [],
    detect: values.get('detect'),
  };
}

/** Starts the server; `delays` are the times before restarts, for tests. */
function activate(context, { delays } = {}) {
  const output = vscode.window.createOutputChannel('Pipeline');
  client = new Client({ settings, log: (line) => output.appendLine(line), delays });
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('pipeline.restart', () => client.restart()),
    vscode.commands.registerCommand('pipeline.showLog', () => output.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('pipeline.path') || event.affectsConfiguration('pipeline.root')) return client.restart();
      return event.affectsConfiguration('pipeline') ? client.documents.refresh() : undefined;
    }));
  client.start();
  return { client };
}

/** Ends the server; the editor waits for the promise. */
function deactivate() {
  const last = client;
  client = undefined;
  return last?.dispose();
}

module.exports = { activate, deactivate };
