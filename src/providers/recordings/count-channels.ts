import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { bulkhead } from 'cockatiel'
import { scaled } from '../../kernel/deadlines.ts'
import { startThread } from '../../kernel/start-thread.ts'

/** What is read at most: large covers come before the sound of an MP3, and the list of tracks of an M4A may come last. */
export const inspectedBytes = 32 * 1024 * 1024
/** A thread's start takes 0.2 s, but longer where everything else is busy. */
const startMs = 20_000
/** How long the thread reads, without its waits for the source. A true recording needs 0.1 s. */
const busyMs = 2_000
const memoryMb = 64
/** Threads at once; 200 analyses may be under way. */
const threads = bulkhead(4, 200)
/** What the thread posts when it needs the next bytes. */
export const more = 'more'
/** A thread without work is kept, because its start takes longer than its work. */
let idle: Worker | null = null

/**
 * The channels that a recording of this type declares, read from as many bytes as its format needs; null if it does not tell, or not soon enough.
 * A thread reads it, because a file can be made to keep the library busy for minutes. Rejects with the source's errors only.
 */
export function countChannels(source: AsyncIterator<Uint8Array, unknown>, mimeType: string): Promise<number | null> {
  return threads.execute(() => countInThread(source, mimeType))
}

async function countInThread(source: AsyncIterator<Uint8Array, unknown>, mimeType: string): Promise<number | null> {
  const thread = takeThread()
  let channels: number | null = null
  try {
    thread.postMessage(mimeType, [])
    let answer = await answerOf(thread, scaled(startMs))
    for (let leftMs = scaled(busyMs); answer === more;) {
      give(thread, await source.next())
      const given = performance.now()
      answer = await answerOf(thread, leftMs)
      leftMs -= performance.now() - given
    }
    if (typeof answer === 'number') channels = answer
    return channels === 0 ? null : channels
  } finally {
    // Only a thread that has answered has nothing else to do.
    if (channels !== null && idle === null) keep(thread)
    // Not awaited: nobody needs its end.
    else thread.terminate().catch(() => undefined)
  }
}

function takeThread(): Worker {
  const thread = idle ?? newThread()
  idle = null
  // While it works, it keeps the process alive.
  thread.ref()
  return thread
}

function keep(thread: Worker): void {
  thread.unref()
  idle = thread
}

function newThread(): Worker {
  const thread = startThread(new URL('channels-worker.ts', import.meta.url), { memoryMb })
  thread.on('error', () => undefined)
  thread.on('exit', () => {
    if (idle === thread) idle = null
  })
  return thread
}

/** `more`, the number of channels, or null if the thread failed, or took longer than what is left. */
async function answerOf(thread: Worker, leftMs: number): Promise<unknown> {
  try {
    const answers: readonly unknown[] = await once(thread, 'message', { signal: AbortSignal.timeout(Math.max(0, Math.ceil(leftMs))) })
    return answers[0]
  } catch {
    return null
  }
}

function give(thread: Worker, next: IteratorResult<Uint8Array, unknown>): void {
  // A copy: what is sent takes along the memory that its bytes share with others.
  const bytes = next.done === true ? null : new Uint8Array(next.value)
  thread.postMessage(bytes, bytes === null ? [] : [bytes.buffer])
}
