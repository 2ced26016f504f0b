'use strict';
// The value types of the `vscode` module. They refuse what the real ones refuse.

const assert = require('node:assert');

class Position {
  constructor(line, character) {
    assert(Number.isInteger(line) && line >= 0, `line ${line}`);
    assert(Number.isInteger(character) && character >= 0, `character ${character}`);
    Object.assign(this, { line, character });
  }

  isAfter(other) {
    return this.line > other.line || (this.line === other.line && this.character > other.character);
  }
}

class Range {
  constructor(start, end) {
    assert(start instanceof Position && end instanceof Position, 'a range has two positions');
    [this.start, this.end] = start.isAfter(end) ? [end, start] : [start, end];
  }

  contains(other) {
    return !this.start.isAfter(other.start) && !other.end.isAfter(this.end);
  }

  /** Whether they have a place in common. */
  touches(other) {
    return !this.start.isAfter(other.end) && !other.start.isAfter(this.end);
  }
}

/** URIs; the text has the escapes of the real one, which differ from those of other editors. */
class Uri {
  constructor(scheme, path, fragment = '') {
    Object.assign(this, { scheme, path, fsPath: path, fragment });
  }

  static parse(text) {
    assert.strictEqual(typeof text, 'string');
    const match = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text);
    assert(match, `not a URI: ${text}`);
    if (match[1] !== 'file') return new Uri(match[1], match[2]);
    const [path, fragment] = match[2].replace(/^\/\//, '').split('#');
    return new Uri('file', decodeURIComponent(path), fragment);
  }

  static file(path) {
    return new Uri('file', path);
  }

  toString() {
    const path = this.path.split('/').map((part) => encodeURIComponent(part).replace(/[!'()*]/g, (character) =>
      `%${character.charCodeAt(0).toString(16).toUpperCase()}`)).join('/');
    const fragment = this.fragment && `#${this.fragment}`;
    return this.scheme === 'file' ? `file://${path}${fragment}` : `${this.scheme}:${this.path}`;
  }
}

class Location {
  constructor(uri, range) {
    assert(uri instanceof Uri && range instanceof Range);
    Object.assign(this, { uri, range });
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    assert(range instanceof Range && typeof message === 'string' && severity in enums.DiagnosticSeverity);
    Object.assign(this, { range, message, severity });
  }
}

class DiagnosticRelatedInformation {
  constructor(place, message) {
    assert(place instanceof Location);
    Object.assign(this, { location: place, message });
  }
}

class MarkdownString {
  constructor(value = '') {
    assert.strictEqual(typeof value, 'string');
    this.value = value;
  }

  appendText(text) {
    this.value += text.replace(/[\\`*_{}[\]()#+\-!~]/g, '\\$&');
    return this;
  }

  appendCodeblock(code, language = '') {
    this.value += `\n\`\`\`${language}\n${code}\n\`\`\`\n`;
    return this;
  }
}

class SnippetString {
  constructor(value) {
    this.value = value;
  }
}

class TextEdit {
  constructor(range, newText) {
    assert(range instanceof Range && typeof newText === 'string');
    Object.assign(this, { range, newText });
  }
}

class WorkspaceEdit {
  constructor() {
    this.steps = [];
  }

  set(uri, edits) {
    assert(uri instanceof Uri && edits.every((edit) => edit instanceof TextEdit));
    this.steps.push({ uri, edits });
  }

  createFile(uri) {
    this.steps.push({ create: uri });
  }

  renameFile(from, to) {
    this.steps.push({ rename: from, to });
  }

  deleteFile(uri) {
    this.steps.push({ delete: uri });
  }
}

class DocumentSymbol {
  constructor(name, detail, kind, range, selectionRange) {
    assert(name, 'a symbol has a name');
    assert(range.contains(selectionRange), `the name of ${name} is outside of its range`);
    Object.assign(this, { name, detail, kind, range, selectionRange, children: [] });
  }
}

class Kind {
  constructor(value) {
    this.value = value;
  }

  append(part) {
    return new Kind(this.value ? `${this.value}.${part}` : part);
  }
}

class Disposable {
  constructor(action) {
    this.action = action;
  }

  static from(...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }

  dispose() {
    this.action?.();
    this.action = undefined;
  }
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return new Disposable(() => this.listeners.delete(listener));
    };
  }

  fire(value) {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  constructor() {
    const emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
    this.cancel = () => {
      this.token.isCancellationRequested = true;
      emitter.fire();
    };
  }
}

/** A class whose members are the arguments of its initializer. */
const record = (...names) => class {
  constructor(...values) {
    names.forEach((name, index) => { this[name] = values[index]; });
  }
};

/** Numbers with their names, both ways. */
const enumeration = (first, ...names) =>
  Object.fromEntries(names.flatMap((name, index) => [[name, index + first], [index + first, name]]));

const enums = {
  DiagnosticSeverity: enumeration(0, 'Error', 'Warning', 'Information', 'Hint'),
  FoldingRangeKind: enumeration(1, 'Comment', 'Imports', 'Region'),
};

module.exports = {
  Position, Range, Uri, Location, Diagnostic, DiagnosticRelatedInformation, MarkdownString, SnippetString, TextEdit, WorkspaceEdit,
  DocumentSymbol, Disposable, EventEmitter, CancellationTokenSource, ...enums,
  CodeActionKind: { Empty: new Kind('') },
  CodeAction: record('title', 'kind'),
  CompletionItem: record('label', 'kind'),
  CompletionList: record('items', 'isIncomplete'),
  DocumentHighlight: record('range', 'kind'),
  DocumentLink: record('range', 'target'),
  FoldingRange: record('start', 'end', 'kind'),
  Hover: record('contents', 'range'),
  ParameterInformation: record('label', 'documentation'),
  SemanticTokens: record('data', 'resultId'),
  SemanticTokensLegend: record('tokenTypes', 'tokenModifiers'),
  SignatureHelp: record(),
  SignatureInformation: record('label', 'documentation'),
  SymbolInformation: record('name', 'kind', 'containerName', 'location'),
};
