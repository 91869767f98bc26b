import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'
import { watchLoop } from '../../harness/loop-watch.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = z.custom<(options: object) => void>((value) => typeof value === 'function').parse(runInNewContext('gc'))

// The service as `npm start` runs it. Beside it, `GET` on the port of WATCH_PORT answers how long its event loop was held since the last
// reading, how much memory it has, and how many files are open; `GET /collected` the same after a collection of garbage.
const watch = watchLoop()
createServer(({ url }, response) => {
  const hold = watch.read()
  const rss = process.memoryUsage.rss()
  // Also what a single collection leaves: code of functions that no longer run, and what only weak references hold. The next request is slow after it.
  if (url === '/collected') collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { heapUsed, external } = process.memoryUsage()
  response.end(JSON.stringify({ ...hold, rssMb: rss / 1_048_576, heldMb: (heapUsed + external) / 1_048_576, descriptors: openFiles() }))
  watch.read()
}).listen(Number(process.env['WATCH_PORT']), '127.0.0.1')

/** Infinity if there is none left to read them with. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return Number.MAX_SAFE_INTEGER
  }
}

await import('../../../src/main.ts')
