import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems choose by themselves: no server or connection that gets its port from the system has one of them. */
const [lowest, highest] = [11_000, 32_000]

/** A loopback port that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port from ${lowest} to ${highest}`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  } catch {
    return false
  }
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return true
}
