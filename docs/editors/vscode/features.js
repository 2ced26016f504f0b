'use strict';
// One provider for each feature that the server announces.

const vscode = require('vscode');
const convert = require('./convert');

const { toDocument, toPlace, toRange } = convert;

/** What the server sent for an item that it can complete later. */
const sources = new WeakMap();

/**
 * The features by the method that dynamic registration names: the member of the server's capabilities, and a function that
 * registers a provider with a connected `server` and the `options` of the capability.
 */
const features = {
  'textDocument/completion': {
    capability: 'completionProvider',
    register: (server, options, selector) => vscode.languages.registerCompletionItemProvider(selector, {
      async provideCompletionItems(document, place, token, context) {
        const kinds = [1, 2, 3];
        const result = await server.ask('textDocument/completion', document, {
          ...toPlace(document, place),
          context: { triggerKind: kinds[context.triggerKind], triggerCharacter: context.triggerCharacter },
        }, token);
        return result && convert.completions(result, sources);
      },
      ...options.resolveProvider && {
        async resolveCompletionItem(item, token) {
          const result = await server.askAbout('completionItem/resolve', sources.get(item), token);
          if (!result) return item;
          const resolved = convert.completion(result, item.range);
          sources.set(resolved, result);
          return resolved;
        },
      },
    }, ...options.triggerCharacters ?? []),
  },
  'textDocument/hover': {
    capability: 'hoverProvider',
    register: (server, options, selector) => vscode.languages.registerHoverProvider(selector, {
      async provideHover(document, place, token) {
        const result = await server.ask('textDocument/hover', document, toPlace(document, place), token);
        return result && convert.hover(result);
      },
    }),
  },
  'textDocument/signatureHelp': {
    capability: 'signatureHelpProvider',
    register: (server, options, selector) => vscode.languages.registerSignatureHelpProvider(selector, {
      async provideSignatureHelp(document, place, token, context) {
        const result = await server.ask('textDocument/signatureHelp', document, {
          ...toPlace(document, place),
          context: convert.toSignatureContext(context, sources.get(context.activeSignatureHelp)),
        }, token);
        if (!result) return undefined;
        const help = convert.signatureHelp(result);
        sources.set(help, result);
        return help;
      },
    }, {
      triggerCharacters: options.triggerCharacters ?? [], retriggerCharacters: options.retriggerCharacters ?? [],
    }),
  },
  'textDocument/definition': {
    capability: 'definitionProvider',
    register: (server, options, selector) => vscode.languages.registerDefinitionProvider(selector, {
      async provideDefinition(document, place, token) {
        const result = await server.ask('textDocument/definition', document, toPlace(document, place), token);
        return result && convert.locations(result);
      },
    }),
  },
  'textDocument/references': {
    capability: 'referencesProvider',
    register: (server, options, selector) => vscode.languages.registerReferenceProvider(selector, {
      async provideReferences(document, place, context, token) {
        const params = { ...toPlace(document, place), context: { includeDeclaration: context.includeDeclaration } };
        const result = await server.ask('textDocument/references', document, params, token);
        return result && convert.locations(result);
      },
    }),
  },
  'textDocument/documentHighlight': {
    capability: 'documentHighlightProvider',
    register: (server, options, selector) => vscode.languages.registerDocumentHighlightProvider(selector, {
      async provideDocumentHighlights(document, place, token) {
        const result = await server.ask('textDocument/documentHighlight', document, toPlace(document, place), token);
        return result?.map(convert.highlight);
      },
    }),
  },
  'textDocument/documentSymbol': {
    capability: 'documentSymbolProvider',
    register: (server, options, selector) => vscode.languages.registerDocumentSymbolProvider(selector, {
      async provideDocumentSymbols(document, token) {
        const result = await server.ask('textDocument/documentSymbol', document, { textDocument: toDocument(document) }, token);
        return result?.map(convert.symbol);
      },
    }),
  },
  'textDocument/codeAction': {
    capability: 'codeActionProvider',
    register: (server, options, selector) => vscode.languages.registerCodeActionsProvider(
      selector, codeActions(server, options),
      { providedCodeActionKinds: options.codeActionKinds?.map((kind) => vscode.CodeActionKind.Empty.append(kind)) }),
  },
  'textDocument/formatting': {
    capability: 'documentFormattingProvider',
    register: (server, options, selector) => vscode.languages.registerDocumentFormattingEditProvider(selector, {
      async provideDocumentFormattingEdits(document, style, token) {
        const params = { textDocument: toDocument(document), options: style };
        const result = await server.ask('textDocument/formatting', document, params, token);
        return result?.map(convert.textEdit);
      },
    }),
  },
  'textDocument/rangeFormatting': {
    capability: 'documentRangeFormattingProvider',
    register: (server, options, selector) => vscode.languages.registerDocumentRangeFormattingEditProvider(selector, {
      async provideDocumentRangeFormattingEdits(document, range, style, token) {
        const params = { textDocument: toDocument(document), range: toRange(range), options: style };
        const result = await server.ask('textDocument/rangeFormatting', document, params, token);
        return result?.map(convert.textEdit);
      },
    }),
  },
  'textDocument/rename': {
    capability: 'renameProvider',
    register: (server, options, selector) => vscode.languages.registerRenameProvider(selector, rename(server, options)),
  },
  'textDocument/foldingRange': {
    capability: 'foldingRangeProvider',
    register: (server, options, selector) => vscode.languages.registerFoldingRangeProvider(selector, {
      async provideFoldingRanges(document, context, token) {
        const result = await server.ask('textDocument/foldingRange', document, { textDocument: toDocument(document) }, token);
        return result?.map(convert.folding);
      },
    }),
  },
  'textDocument/documentLink': {
    capability: 'documentLinkProvider',
    register: (server, options, selector) => vscode.languages.registerDocumentLinkProvider(selector, {
      async provideDocumentLinks(document, token) {
        const result = await server.ask('textDocument/documentLink', document, { textDocument: toDocument(document) }, token);
        return result?.map((link) => convert.documentLink(link, sources));
      },
      ...options.resolveProvider && {
        async resolveDocumentLink(link, token) {
          const result = await server.askAbout('documentLink/resolve', sources.get(link), token);
          return result ? convert.documentLink(result, sources) : link;
        },
      },
    }),
  },
  'textDocument/semanticTokens': {
    capability: 'semanticTokensProvider',
    register: (server, options, selector) => vscode.Disposable.from(...semanticTokens(server, options, selector)),
  },
  'workspace/executeCommand': {
    capability: 'executeCommandProvider',
    register: (server, options) => vscode.Disposable.from(...options.commands.map((command) =>
      vscode.commands.registerCommand(command, (...args) => server.execute(command, args)))),
  },
};

function codeActions(server, options) {
  return {
    async provideCodeActions(document, range, context, token) {
      const result = await server.ask('textDocument/codeAction', document, {
        textDocument: toDocument(document), range: toRange(range),
        context: {
          diagnostics: convert.toDiagnostics(context.diagnostics), only: context.only && [context.only.value],
          triggerKind: context.triggerKind,
        },
      }, token);
      const known = { diagnostics: context.diagnostics, versionOf: server.versionOf, sources };
      return result?.map((action) => convert.codeAction(action, known));
    },
    ...options.resolveProvider && {
      async resolveCodeAction(action, token) {
        const result = await server.askAbout('codeAction/resolve', sources.get(action), token);
        if (result?.edit) action.edit = convert.workspaceEdit(result.edit, server.versionOf);
        if (result?.command) action.command = convert.command(result.command);
        return action;
      },
    },
  };
}

function rename(server, options) {
  return {
    // The editor shows an error's message beside the cursor.
    async provideRenameEdits(document, place, newName, token) {
      const params = { ...toPlace(document, place), newName };
      const result = await server.ask('textDocument/rename', document, params, token, { mayFail: true });
      if (!result) throw new Error('There is no name here that can be changed.');
      return convert.workspaceEdit(result, server.versionOf);
    },
    ...options.prepareProvider && {
      async prepareRename(document, place, token) {
        const result = await server.ask(
          'textDocument/prepareRename', document, toPlace(document, place), token, { mayFail: true });
        if (!result) throw new Error('There is no name here that can be changed.');
        if (result.defaultBehavior) return undefined;
        if (result.start) return convert.range(result);
        return { range: convert.range(result.range), placeholder: result.placeholder };
      },
    },
  };
}

function semanticTokens(server, options, selector) {
  const legend = new vscode.SemanticTokensLegend(options.legend.tokenTypes, options.legend.tokenModifiers);
  const registered = [];
  if (options.full) {
    registered.push(vscode.languages.registerDocumentSemanticTokensProvider(selector, {
      onDidChangeSemanticTokens: server.onRefreshTokens,
      async provideDocumentSemanticTokens(document, token) {
        const params = { textDocument: toDocument(document) };
        const result = await server.ask('textDocument/semanticTokens/full', document, params, token);
        return result && convert.semanticTokens(result);
      },
    }, legend));
  }
  if (options.range) {
    registered.push(vscode.languages.registerDocumentRangeSemanticTokensProvider(selector, {
      async provideDocumentRangeSemanticTokens(document, range, token) {
        const params = { textDocument: toDocument(document), range: toRange(range) };
        const result = await server.ask('textDocument/semanticTokens/range', document, params, token);
        return result && convert.semanticTokens(result);
      },
    }, legend));
  }
  return registered;
}

/** Registers one feature; undefined if the extension does not know it. */
function register(method, server, options) {
  return features[method]?.register(server, options === true ? {} : options ?? {}, { language: 'yaml' });
}

/** Registers what the server's capabilities announce. */
function registerAll(server, capabilities) {
  return Object.entries(features)
    .filter(([, feature]) => capabilities[feature.capability])
    .map(([method, feature]) => register(method, server, capabilities[feature.capability]));
}

module.exports = { register, registerAll };
