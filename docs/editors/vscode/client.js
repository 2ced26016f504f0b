'use strict';
// The client's side of the protocol: what it announces, what the server may ask of it, and what it shows.

const vscode = require('vscode');
const convert = require('./convert');
const features = require('./features');
const { Documents } = require('./documents');
const { ErrorCode, ResponseError } = require('./rpc');
const { ServerProcess } = require('./process');

const range = (count) => Array.from({ length: count }, (_, index) => index + 1);

/** What the extension can do (LSP 3.17 "ClientCapabilities"). */
const CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  window: { showMessage: {}, showDocument: { support: true }, workDoneProgress: false },
  workspace: {
    applyEdit: true, configuration: true, workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: false },
    executeCommand: { dynamicRegistration: true },
    semanticTokens: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: {
      relatedInformation: true, versionSupport: true, codeDescriptionSupport: true, tagSupport: { valueSet: [1, 2] },
    },
    completion: {
      dynamicRegistration: true, contextSupport: true, insertTextMode: 2,
      completionItem: {
        snippetSupport: true, commitCharactersSupport: true, documentationFormat: ['markdown', 'plaintext'],
        deprecatedSupport: true, preselectSupport: true, tagSupport: { valueSet: [1] }, insertReplaceSupport: true,
        resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
        insertTextModeSupport: { valueSet: [1, 2] }, labelDetailsSupport: true,
      },
      completionItemKind: { valueSet: range(25) },
    },
    hover: { dynamicRegistration: true, contentFormat: ['markdown', 'plaintext'] },
    signatureHelp: {
      dynamicRegistration: true, contextSupport: true,
      signatureInformation: {
        documentationFormat: ['markdown', 'plaintext'], parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
      },
    },
    definition: { dynamicRegistration: true, linkSupport: true },
    references: { dynamicRegistration: true },
    documentHighlight: { dynamicRegistration: true },
    documentSymbol: {
      dynamicRegistration: true, hierarchicalDocumentSymbolSupport: true, symbolKind: { valueSet: range(26) },
      tagSupport: { valueSet: [1] },
    },
    codeAction: {
      dynamicRegistration: true, isPreferredSupport: true, disabledSupport: true, dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'source.fixAll', 'source.organizeImports'] },
      },
    },
    formatting: { dynamicRegistration: true },
    rangeFormatting: { dynamicRegistration: true },
    rename: { dynamicRegistration: true, prepareSupport: true, prepareSupportDefaultBehavior: 1 },
    foldingRange: { dynamicRegistration: true, foldingRangeKind: { valueSet: ['comment', 'imports', 'region'] } },
    documentLink: { dynamicRegistration: true, tooltipSupport: true },
    semanticTokens: {
      dynamicRegistration: true, requests: { full: true, range: true }, formats: ['relative'],
      tokenTypes: [
        'namespace', 'type', 'class', 'enum', 'interface', 'struct', 'typeParameter', 'parameter', 'variable', 'property',
        'enumMember', 'event', 'function', 'method', 'macro', 'keyword', 'modifier', 'comment', 'string', 'number', 'regexp',
        'operator', 'decorator',
      ],
      tokenModifiers: [
        'declaration', 'definition', 'readonly', 'static', 'deprecated', 'abstract', 'async', 'modification',
        'documentation', 'defaultLibrary',
      ],
    },
  },
};

/** A server and what the editor shows of it. */
class Client {
  /** `settings()` returns the current settings; `log` takes lines; `delays` are the times before restarts. */
  constructor({ settings, log, delays }) {
    this.settings = settings;
    this.log = log;
    this.collection = vscode.languages.createDiagnosticCollection('pipeline');
    this.documents = new Documents({ settings, forget: (uri) => this.collection.delete(uri) });
    this.process = new ServerProcess({
      delays,
      handlers: {
        onRequest: (method, params) => this.serve(method, params),
        onNotification: (method, params) => this.take(method, params),
      },
    });
    this.registered = new Map();
    this.versionOf = (uri) => this.documents.versionOf(uri);
    this.tokensChanged = new vscode.EventEmitter();
    this.onRefreshTokens = this.tokensChanged.event;
    this.process.on('log', log);
    this.process.on('connected', (connection) => this.initialize(connection));
    this.process.on('ended', () => this.disconnect());
    this.process.on('missing', (error) => this.tellMissing(error));
    this.process.on('failed', ({ count }) => this.tellFailed(count));
  }

  start() {
    const { path, root } = this.settings();
    const folder = vscode.workspace.workspaceFolders?.[0];
    this.process.start(path, ['lsp', ...root ? ['--root', root] : []],
      folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined);
  }

  /** Ends the server and starts it again; a second call waits for the first. */
  restart() {
    const restart = (this.restarting ?? Promise.resolve()).then(async () => {
      await this.process.stop();
      this.start();
    });
    this.restarting = restart;
    return restart;
  }

  async dispose() {
    await this.restarting;
    await this.process.stop();
    this.disconnect();
    this.documents.dispose();
    this.collection.dispose();
    this.tokensChanged.dispose();
  }

  async initialize(connection) {
    try {
      const folders = vscode.workspace.workspaceFolders?.map(({ uri, name }) => ({ uri: uri.toString(), name })) ?? null;
      const { capabilities, serverInfo } = await connection.request('initialize', {
        processId: process.pid, clientInfo: { name: 'vscode', version: vscode.version }, rootUri: folders?.[0]?.uri ?? null,
        workspaceFolders: folders, capabilities: CAPABILITIES,
      });
      const encoding = capabilities.positionEncoding ?? 'utf-16';
      if (encoding !== 'utf-16') throw new Error(`the server counts positions in ${encoding}, and not in utf-16`);
      connection.notify('initialized', {});
      this.connection = connection;
      this.registered.set('', vscode.Disposable.from(...features.registerAll(this, capabilities)));
      this.documents.connect(connection, capabilities);
      this.log(`connected to ${serverInfo?.name ?? 'the server'} ${serverInfo?.version ?? ''}`.trimEnd());
    } catch (error) {
      // A crash is reported by the process's end.
      if (connection.isClosed) return;
      await this.process.stop();
      void vscode.window.showErrorMessage(`pipeline: the language server cannot be used: ${error.message}.`);
    }
  }

  disconnect() {
    this.connection = undefined;
    for (const disposable of this.registered.values()) disposable.dispose();
    this.registered.clear();
    this.documents.disconnect();
    this.collection.clear();
  }

  /** Asks about an open document; undefined if there is no result. With `mayFail`, an error is thrown for the editor to show. */
  async ask(method, document, params, token, { mayFail = false } = {}) {
    return this.documents.has(document) ? this.send(method, params, token, mayFail) : undefined;
  }

  /** Asks about something that the server sent earlier. */
  async askAbout(method, source, token) {
    return source === undefined ? undefined : this.send(method, source, token, false);
  }

  execute(command, args) {
    return this.send('workspace/executeCommand', { command, arguments: args }, undefined, true);
  }

  async send(method, params, token, mayFail) {
    try {
      return (await this.connection?.request(method, params, token)) ?? undefined;
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      if (error.isCancellation) return undefined;
      if (mayFail) throw new Error(error.message);
      this.log(`${method}: ${error.message}`);
      return undefined;
    }
  }

  /** Receives a notification of the server. */
  take(method, params) {
    const levels = [undefined, 'showErrorMessage', 'showWarningMessage', 'showInformationMessage'];
    switch (method) {
      case 'textDocument/publishDiagnostics': return this.show(params);
      case 'window/showMessage': return void vscode.window[levels[params.type] ?? 'showInformationMessage'](params.message);
      case 'window/logMessage': return this.log(params.message);
      default: return undefined;
    }
  }

  show({ uri, version, diagnostics }) {
    // Findings about an older text are in wrong places, and those about the current text will follow.
    const current = this.versionOf(uri);
    if (version != null && current !== undefined && version < current) return;
    this.collection.set(convert.uri(uri), diagnostics.map(convert.diagnostic));
  }

  /** Serves a request of the server. */
  async serve(method, params) {
    switch (method) {
      case 'workspace/applyEdit': return this.apply(params);
      case 'workspace/configuration': return params.items.map(({ section, scopeUri }) =>
        vscode.workspace.getConfiguration(undefined, scopeUri && convert.uri(scopeUri)).get(section ?? '') ?? null);
      case 'workspace/workspaceFolders':
        return vscode.workspace.workspaceFolders?.map(({ uri, name }) => ({ uri: uri.toString(), name })) ?? null;
      case 'workspace/semanticTokens/refresh': return void this.tokensChanged.fire();
      case 'window/showMessageRequest': return this.choose(params);
      case 'window/showDocument': return this.open(params);
      case 'client/registerCapability':
        for (const one of params.registrations) this.register(one);
        return null;
      case 'client/unregisterCapability':
        // The protocol's own spelling.
        for (const { id } of params.unregisterations ?? params.unregistrations) {
          this.registered.get(id)?.dispose();
          this.registered.delete(id);
        }
        return null;
      default: throw new ResponseError(ErrorCode.methodNotFound, `unknown method '${method}'`);
    }
  }

  async apply({ edit }) {
    try {
      const isApplied = await vscode.workspace.applyEdit(convert.workspaceEdit(edit, this.versionOf));
      return { applied: isApplied };
    } catch (error) {
      return { applied: false, failureReason: error.message };
    }
  }

  async choose({ type, message, actions = [] }) {
    const show = [undefined, 'showErrorMessage', 'showWarningMessage'][type] ?? 'showInformationMessage';
    const title = await vscode.window[show](message, ...actions.map((action) => action.title));
    return actions.find((action) => action.title === title) ?? null;
  }

  async open({ uri, external, selection, takeFocus }) {
    if (external) return { success: await vscode.env.openExternal(convert.uri(uri)) };
    const options = { preserveFocus: !takeFocus, selection: selection && convert.range(selection) };
    await vscode.window.showTextDocument(convert.uri(uri), options);
    return { success: true };
  }

  register({ id, method, registerOptions }) {
    const disposable = method === 'workspace/didChangeWatchedFiles'
      ? this.watch(registerOptions) : features.register(method, this, registerOptions);
    if (disposable) this.registered.set(id, disposable);
  }

  /** Tells the server about changes of files that it reads. */
  watch({ watchers }) {
    const tell = (type) => (uri) =>
      this.connection?.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri.toString(), type }] });
    const [create, change, remove] = [1, 2, 4];
    return vscode.Disposable.from(...watchers.flatMap(({ globPattern, kind = create | change | remove }) => {
      const watcher = vscode.workspace.createFileSystemWatcher(
        globPattern, !(kind & create), !(kind & change), !(kind & remove));
      return [watcher, watcher.onDidCreate(tell(1)), watcher.onDidChange(tell(2)), watcher.onDidDelete(tell(3))];
    }));
  }

  async tellMissing(error) {
    const { path } = this.settings();
    const reason = error.code === 'ENOENT' ? 'was not found' : error.code === 'EACCES' ? 'may not be run' : `cannot be started (${error.message})`;
    this.log(`the program '${path}' ${reason}`);
    const open = 'Open Settings';
    const choice = await vscode.window.showErrorMessage(
      `The program '${path}' ${reason}. Install pipeline, or set 'pipeline.path' to where it is.`, open);
    if (choice === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'pipeline.path');
  }

  async tellFailed(count) {
    const [restart, show] = ['Restart', 'Show Log'];
    const choice = await vscode.window.showErrorMessage(
      `The language server of pipeline has crashed ${count} times and is not started again.`, restart, show);
    if (choice) await vscode.commands.executeCommand(choice === restart ? 'pipeline.restart' : 'pipeline.showLog');
  }
}

module.exports = { Client };
