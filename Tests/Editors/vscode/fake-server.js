#!/usr/bin/env node
'use strict';
// A language server that does what a test tells it, in the JSON of the environment variable FAKE:
//   capabilities  what it announces            results    the result of each method
//   errors        the error of each method     held       methods that respond only when they are cancelled
// It also serves `fake/received` (all messages so far), `fake/results` (changes results), `fake/ask` (sends a request and returns the
// response), `fake/notify` and `fake/write` (sends bytes that need not be a message).

const { Connection, ResponseError } = require('../../../docs/editors/vscode/rpc');

const { capabilities = {}, results = {}, errors = {}, held = [], initialize } = JSON.parse(process.env.FAKE ?? '{}');
const received = [];
const cancellations = new Map();

const connection = new Connection({
  write: (bytes) => process.stdout.write(bytes),
  onRequest: serve,
  onNotification: (method, params) => {
    received.push({ method, params });
    if (method === 'exit') process.exit(0);
    if (method === '$/cancelRequest') cancellations.get(params.id)?.();
  },
});

async function serve(method, params) {
  if (method === 'fake/received') return received;
  if (method === 'fake/results') return void Object.assign(results, params);
  if (method === 'fake/ask') {
    return connection.request(params.method, params.params)
      .catch((error) => ({ error: { code: error.code, message: error.message } }));
  }
  if (method === 'fake/notify') return connection.notify(params.method, params.params);
  if (method === 'fake/write') return void process.stdout.write(params.text);
  received.push({ method, params });
  if (method === 'initialize') {
    if (initialize?.error) throw new ResponseError(-32603, initialize.error);
    return { capabilities: { textDocumentSync: { openClose: true, change: 2 }, ...capabilities } };
  }
  if (held.includes(method)) {
    await new Promise((resolve) => { cancellations.set(connection.serving, resolve); });
    throw new ResponseError(-32800, 'cancelled');
  }
  if (errors[method]) throw new ResponseError(-32803, errors[method]);
  return results[method] ?? null;
}

// The handler of a request does not see its number.
const respond = connection.respond;
connection.respond = function (message) {
  connection.serving = message.id;
  return respond.call(this, message);
};

process.stdin.on('data', (bytes) => connection.receive(bytes));
process.stdin.on('end', () => process.exit(1));
