'use strict';
// The server's process: start, crashes, restarts.

const { spawn } = require('node:child_process');
const { EventEmitter } = require('node:events');
const { Connection, FrameError } = require('./rpc');

/** After how many milliseconds the server is started again, after each crash of a series. */
const RESTART_DELAYS = [200, 1000, 2000, 5000, 10000];
/** A crash that comes this many milliseconds after the one before does not belong to its series. */
const SERIES = 3 * 60 * 1000;
/** How many milliseconds the server may take to end before it is killed. */
const END_LIMIT = 2000;

/**
 * A server that is kept running.
 *
 * It emits `connected` with a connection before `initialize`, `ended` when a connection has ended, `missing` if the program
 * cannot be started, `failed` when it has crashed too often, and `log` with lines for people.
 */
class ServerProcess extends EventEmitter {
  /** `handlers` serve the server's messages; `delays` are the times before restarts. */
  constructor({ handlers, delays = RESTART_DELAYS }) {
    super();
    this.handlers = handlers;
    this.delays = delays;
    this.crashes = [];
    this.child = undefined;
    this.timer = undefined;
    this.isWanted = false;
  }

  /** Starts the program, and forgets earlier crashes. */
  start(program, args, folder) {
    this.command = { program, args, folder };
    this.crashes = [];
    this.isWanted = true;
    this.spawn();
  }

  spawn() {
    const { program, args, folder } = this.command;
    const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
    const connection = new Connection({
      write: (bytes) => child.stdin.write(bytes), onError: (text) => this.emit('log', text), ...this.handlers,
    });
    this.child = child;
    this.connection = connection;
    let hasStarted = false;
    child.once('spawn', () => {
      hasStarted = true;
      this.emit('log', `started ${program} ${args.join(' ')} (process ${child.pid})`);
      this.emit('connected', connection);
    });
    child.once('error', (error) => {
      if (hasStarted) return;
      this.isWanted = false;
      this.disconnect(child);
      this.emit('missing', error);
    });
    // A write to a process that has ended fails; its end is reported by `close`.
    child.stdin.on('error', () => {});
    child.stderr.setEncoding('utf8').on('data', (text) => this.emit('log', text.trimEnd()));
    child.stdout.on('data', (bytes) => this.receive(child, connection, bytes));
    child.once('close', (status, signal) => {
      if (hasStarted) this.ended(child, signal ? `was killed by ${signal}` : `ended with status ${status}`);
    });
  }

  receive(child, connection, bytes) {
    if (connection.isClosed) return;
    try {
      connection.receive(bytes);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.emit('log', `the server sent what is not a message: ${error.message}`);
      connection.close();
      child.kill('SIGKILL');
    }
  }

  ended(child, reason) {
    if (!this.disconnect(child)) return;
    if (!this.isWanted) return;
    const now = Date.now();
    this.crashes = this.crashes.filter((time) => now - time < SERIES).concat(now);
    const delay = this.delays[this.crashes.length - 1];
    this.emit('log', `the server ${reason}; ${delay === undefined ? 'it is not started again' : `it is started again in ${delay} ms`}`);
    if (delay === undefined) {
      this.isWanted = false;
      this.emit('failed', { count: this.crashes.length, reason });
    } else {
      this.timer = setTimeout(() => this.spawn(), delay);
    }
  }

  /** Whether the process was the current one. */
  disconnect(child) {
    if (this.child !== child) return false;
    this.child = undefined;
    this.connection.close();
    this.connection = undefined;
    this.emit('ended');
    return true;
  }

  /** Asks the server to end, and kills it if it takes too long. */
  async stop() {
    clearTimeout(this.timer);
    this.isWanted = false;
    const { child, connection } = this;
    if (!child) return;
    const hasEnded = new Promise((resolve) => child.once('close', resolve));
    // A program that could not be started has no end.
    if (child.pid === undefined) return;
    const killing = setTimeout(() => child.kill('SIGKILL'), END_LIMIT);
    try {
      await connection.request('shutdown');
      connection.notify('exit');
    } catch {
      child.kill('SIGKILL');
    }
    await hasEnded;
    clearTimeout(killing);
  }
}

module.exports = { ServerProcess };
