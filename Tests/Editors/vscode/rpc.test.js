'use strict';

const assert = require('node:assert');
const { test } = require('./support');
const { CancellationTokenSource } = require('./stub/types');
const { Connection, FrameError, FrameReader, frame } = require('../../../docs/editors/vscode/rpc');

const read = (...texts) => {
  const reader = new FrameReader();
  return texts.flatMap((text) => reader.push(Buffer.from(text))).map(String);
};

test('what is not a frame is refused at once', async (context) => {
  const broken = {
    'text instead of a header': 'hello',
    'a line before the header': '\nContent-Length: 2\r\n\r\n{}',
    'a field without a colon': 'Content-Length 2\r\n\r\n{}',
    'a length that is not a number': 'Content-Length: 2x\r\n\r\n{}',
    'a negative length': 'Content-Length: -2\r\n\r\n{}',
    'no length': 'Content-Type: a\r\n\r\n{}',
    'two lengths': 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ',
    'a length beyond the limit': 'Content-Length: 99999999999\r\n\r\n',
    'a header beyond the limit': `Content-Type: ${'a'.repeat(5000)}`,
    'a body that is longer than its length': 'Content-Length: 1\r\n\r\n{}Content-Length: 2\r\n\r\n{}',
  };
  for (const [name, text] of Object.entries(broken)) {
    await context.test(name, () => assert.throws(() => read(text), FrameError));
  }
});

test('a body that is not a message is refused', () => {
  for (const body of ['{', '1', 'null', '[]x']) {
    const connection = new Connection({ write: () => {} });
    const bytes = Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
    assert.throws(() => connection.receive(bytes), FrameError, body);
  }
});

test('frames are read wherever the stream is cut', () => {
  const bytes = Buffer.concat(['{"a":"é😀"}', '{}', ''].map((body) =>
    Buffer.from(`content-length:${Buffer.byteLength(body)}\r\nContent-Type: x\r\n\r\n${body}`)));
  for (let cut = 0; cut <= bytes.length; cut++) {
    const reader = new FrameReader();
    const bodies = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))];
    assert.deepStrictEqual(bodies.map(String), ['{"a":"é😀"}', '{}', '']);
  }
  const reader = new FrameReader();
  assert.strictEqual([...bytes].flatMap((byte) => reader.push(Buffer.from([byte]))).length, 3);
});

test('a length counts bytes of UTF-8', () => {
  assert.strictEqual(frame('é😀').toString(), 'Content-Length: 8\r\n\r\n"é😀"');
});

/** Two connections whose bytes go to each other. */
function pair(handlers) {
  const near = new Connection({ write: (bytes) => far.receive(bytes) });
  const far = new Connection({ write: (bytes) => near.receive(bytes), ...handlers });
  return { near, far };
}

test('a request fails with the server\'s error, with the end of the connection, and after it', async () => {
  const { near } = pair({ onRequest: (method) => {
    if (method === 'wait') return new Promise(() => {});
    throw Object.assign(new Error('no'), { code: -5 });
  } });
  await assert.rejects(near.request('any'), { code: -5, message: 'no' });
  const waiting = near.request('wait');
  near.close();
  await assert.rejects(waiting, { message: 'the language server has ended' });
  await assert.rejects(near.request('any'), { message: 'the language server is not running' });
});

test('a failure without a number is an internal error, and a response without a request is ignored', async () => {
  const { near, far } = pair({ onRequest: () => { throw new Error('oh'); } });
  await assert.rejects(near.request('any'), { code: -32603, message: 'oh' });
  far.send({ jsonrpc: '2.0', id: 99, result: 1 });
  far.send({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'parse error' } });
});

test('responses find their requests in any order', async () => {
  const ends = [];
  const { near } = pair({ onRequest: (method) => new Promise((resolve) => ends.unshift(() => resolve(method))) });
  const all = Promise.all([near.request('a'), near.request('b'), near.request('c')]);
  for (const end of ends) end();
  assert.deepStrictEqual(await all, ['a', 'b', 'c']);
});

test('a cancelled request is cancelled at the server, once, and not after its response', async () => {
  const cancelled = [];
  let refuse;
  const { near } = pair({
    onRequest: (method) => method === 'now' ? 1 : new Promise((_, reject) => { refuse = reject; }),
    onNotification: (method, { id }) => {
      cancelled.push([method, id]);
      refuse(Object.assign(new Error('cancelled'), { code: -32800 }));
    },
  });
  const before = new CancellationTokenSource();
  before.cancel();
  await assert.rejects(near.request('wait', {}, before.token), { isCancellation: true });
  assert.deepStrictEqual(cancelled, []);

  const source = new CancellationTokenSource();
  const request = near.request('wait', {}, source.token);
  source.cancel();
  await assert.rejects(request, { isCancellation: true });
  assert.deepStrictEqual(cancelled, [['$/cancelRequest', 1]]);

  const late = new CancellationTokenSource();
  assert.strictEqual(await near.request('now', {}, late.token), 1);
  late.cancel();
  assert.strictEqual(cancelled.length, 1);
});
