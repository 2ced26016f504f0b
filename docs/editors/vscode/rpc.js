'use strict';
// JSON-RPC 2.0 over a stream of bytes, framed as in the Language Server Protocol 3.17, "Base Protocol".

const MAXIMUM_HEADER = 4096;
const MAXIMUM_BODY = 256 * 1024 * 1024;

/** Numbers of errors (JSON-RPC 2.0 section 5.1; LSP 3.17 "ErrorCodes"). */
const ErrorCode = {
  methodNotFound: -32601,
  internalError: -32603,
  requestCancelled: -32800,
  contentModified: -32801,
  serverCancelled: -32802,
};

/** The stream is not a sequence of frames, and what follows cannot be read either. */
class FrameError extends Error {}

/** An error response, or the end of the connection. */
class ResponseError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }

  /** Whether no result is needed any more. */
  get isCancellation() {
    return this.code === ErrorCode.requestCancelled || this.code === ErrorCode.contentModified
      || this.code === ErrorCode.serverCancelled;
  }
}

/** Splits a stream of bytes into the bodies of messages. */
class FrameReader {
  constructor() {
    this.chunks = [];
    this.size = 0;
    /** The length of the body that is being read; undefined while a header is read. */
    this.length = undefined;
  }

  /** Takes the next bytes, and returns the bodies that are complete. Throws a FrameError. */
  push(bytes) {
    this.chunks.push(bytes);
    this.size += bytes.length;
    const bodies = [];
    for (;;) {
      if (this.length === undefined && !this.readHeader()) return bodies;
      if (this.size < this.length) return bodies;
      bodies.push(this.take(this.length));
      this.length = undefined;
    }
  }

  readHeader() {
    const bytes = this.joined();
    const end = bytes.indexOf('\r\n\r\n');
    if (end > MAXIMUM_HEADER || (end < 0 && bytes.length > MAXIMUM_HEADER)) {
      throw new FrameError(`a header is longer than ${MAXIMUM_HEADER} bytes`);
    }
    // What cannot begin a header is reported at once: its end might never come.
    const start = bytes.subarray(0, 8).toString('latin1').toLowerCase();
    if (!'content-'.startsWith(start)) throw new FrameError(`not a header: ${JSON.stringify(bytes.subarray(0, 40).toString('latin1'))}`);
    if (end < 0) return false;
    this.length = FrameReader.lengthIn(bytes.subarray(0, end).toString('latin1'));
    this.take(end + 4);
    return true;
  }

  static lengthIn(header) {
    let length;
    for (const line of header.split('\r\n')) {
      const field = /^([^:]+):[ \t]*(.*?)[ \t]*$/.exec(line);
      if (!field) throw new FrameError(`not a header field: ${JSON.stringify(line)}`);
      if (field[1].toLowerCase() !== 'content-length') continue;
      if (!/^\d+$/.test(field[2])) throw new FrameError(`invalid Content-Length: ${JSON.stringify(field[2])}`);
      if (length !== undefined && length !== Number(field[2])) throw new FrameError('two different Content-Lengths');
      length = Number(field[2]);
    }
    if (length === undefined) throw new FrameError('a message has no Content-Length');
    if (length > MAXIMUM_BODY) throw new FrameError(`a message of ${length} bytes is longer than ${MAXIMUM_BODY}`);
    return length;
  }

  joined() {
    if (this.chunks.length !== 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0];
  }

  take(count) {
    const bytes = this.joined();
    this.chunks = [bytes.subarray(count)];
    this.size -= count;
    return bytes.subarray(0, count);
  }
}

/** A message with its header; its length is in bytes of UTF-8. */
function frame(message) {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]);
}

/** One connection to a server: it matches responses to requests, and serves the server's requests. */
class Connection {
  /**
   * `write` sends bytes. `onRequest(method, params)` returns a result or a promise, or throws a ResponseError.
   * `onNotification(method, params)` returns nothing; what it throws goes to `onError`.
   */
  constructor({ write, onRequest, onNotification, onError }) {
    this.write = write;
    this.onRequest = onRequest;
    this.onNotification = onNotification;
    this.onError = onError;
    this.reader = new FrameReader();
    this.pending = new Map();
    this.lastID = 0;
    this.isClosed = false;
  }

  /** Takes bytes from the server. Throws a FrameError if the stream is broken. */
  receive(bytes) {
    for (const body of this.reader.push(bytes)) {
      let message;
      try {
        message = JSON.parse(body.toString('utf8'));
      } catch {
        throw new FrameError(`a message is not JSON: ${JSON.stringify(body.subarray(0, 40).toString('latin1'))}`);
      }
      this.dispatch(message);
    }
  }

  dispatch(message) {
    if (typeof message !== 'object' || message === null) throw new FrameError('a message is not an object');
    if (message.method === undefined) this.settle(message);
    else if (message.id === undefined) this.notice(message);
    else void this.respond(message);
  }

  /** A notification that cannot be understood must not take the next messages with it. */
  notice({ method, params }) {
    try {
      this.onNotification(method, params);
    } catch (error) {
      this.onError(`${method}: ${error.message}`);
    }
  }

  settle({ id, result, error }) {
    const request = this.pending.get(id);
    if (!request) return;
    this.pending.delete(id);
    request.end();
    if (error) request.reject(new ResponseError(error.code, error.message));
    else request.resolve(result ?? null);
  }

  async respond({ id, method, params }) {
    const answer = { jsonrpc: '2.0', id };
    try {
      answer.result = (await this.onRequest(method, params)) ?? null;
    } catch (error) {
      answer.error = { code: error.code ?? ErrorCode.internalError, message: String(error.message ?? error) };
    }
    this.send(answer);
  }

  /** Sends a request. If `token` is cancelled, the server is told; it still responds. */
  request(method, params, token) {
    if (this.isClosed) return Promise.reject(new ResponseError(ErrorCode.serverCancelled, 'the language server is not running'));
    if (token?.isCancellationRequested) {
      return Promise.reject(new ResponseError(ErrorCode.requestCancelled, 'the request was cancelled'));
    }
    const id = ++this.lastID;
    return new Promise((resolve, reject) => {
      const listener = token?.onCancellationRequested(() => this.notify('$/cancelRequest', { id }));
      this.pending.set(id, { resolve, reject, end: () => listener?.dispose() });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method, params) {
    this.send({ jsonrpc: '2.0', method, params });
  }

  send(message) {
    if (!this.isClosed) this.write(frame(message));
  }

  /** Ends the connection; all requests without a response fail. */
  close() {
    this.isClosed = true;
    for (const request of this.pending.values()) {
      request.end();
      request.reject(new ResponseError(ErrorCode.serverCancelled, 'the language server has ended'));
    }
    this.pending.clear();
  }
}

module.exports = { Connection, ErrorCode, FrameError, FrameReader, ResponseError, frame };
