import type { Writable } from 'node:stream'

/** Where the lines of the log go. Disposing it waits until they are written, for a second at most. */
export type LogOutput = AsyncDisposable & {
  write(line: string): void
  /** Calls the listener with the number of lines that were lost, as soon as lines are written again. */
  onLost(listener: (lines: number) => void): void
}

export type LogFormat = 'json' | 'pretty'

/** Lines are collected to this length, or for this long: a write for each line would cost more than the line. */
const collectChars = 16_384
const collectMs = 100
const usualBounds = {
  /** If nobody reads the lines, this much waits in memory. Later lines are lost, and counted. */
  waitingChars: 8 * 1_048_576,
  /** For the last lines, when the process ends. */
  finishMs: 1_000,
}

/**
 * Writes the lines to a stream such as standard output. A reader that stalls delays no request, and a stream that fails ends nothing. Disposing loses
 * no line. A process that ends by an uncaught error loses what a pipe has no room for, one that is killed the last tenth of a second. `pretty`: for
 * people, at once.
 */
export async function openLogOutput(format: LogFormat, stream: Writable, bounds = usualBounds): Promise<LogOutput> {
  const shown = format === 'pretty' ? await prettyLines() : null
  let collected = ''
  let lost = 0
  /** How many of the lost ones are reported in the collected lines. */
  let reported = 0
  let onLost: (lines: number) => void = () => {}
  let timer: NodeJS.Timeout | null = null

  const send = (): void => {
    const text = collected
    const reportedHere = reported
    collected = ''
    reported = 0
    if (text === '') return
    stream.write(text, (error) => {
      // Its disk may be full, or its reader gone.
      if (error) lost += reportedHere + text.split('\n').length - 1
    })
  }
  const sendLate = (): void => {
    timer = null
    send()
  }
  stream.on('error', () => {})
  process.on('exit', send)
  return {
    write(line) {
      if (collected.length + stream.writableLength > bounds.waitingChars) {
        lost += 1
        return
      }
      if (lost > 0) {
        const lines = lost
        lost = 0
        reported += lines
        onLost(lines)
      }
      collected += shown ? shown(line) : line
      if (shown || collected.length >= collectChars) send()
      else timer ??= setTimeout(sendLate, collectMs).unref()
    },
    onLost: (listener) => void (onLost = listener),
    async [Symbol.asyncDispose]() {
      if (timer) clearTimeout(timer)
      send()
      await written(stream, bounds.finishMs)
      process.off('exit', send)
    },
  }
}

async function written(stream: Writable, withinMs: number): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs)
    stream.once('drain', resolve)
    stream.once('close', resolve)
    stream.write('', () => resolve())
  })
  clearTimeout(timer)
}

async function prettyLines(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty')
  return prettyFactory({ singleLine: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' })
}
