import { createServer } from 'node:http'
import { watchLoop } from '../../harness/loop-watch.ts'

// The service as `npm start` runs it. Beside it, `GET` on the port of WATCH_PORT answers how long its event loop was held since the last
// reading, and how much memory it has.
const watch = watchLoop()
createServer((_request, response) => {
  response.end(JSON.stringify({ ...watch.read(), rssMb: Math.round(process.memoryUsage.rss() / 1_048_576) }))
}).listen(Number(process.env['WATCH_PORT']), '127.0.0.1')
await import('../../../src/main.ts')
