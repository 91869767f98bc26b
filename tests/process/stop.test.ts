import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { childEnvironment } from '../harness/child-environment.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

test('after a signal the service is not ready but answers; a second signal ends it at once', async () => {
  await using directory = await createTempDir()
  const env = { ...childEnvironment, DATA_DIR: directory.path, PORT: '0', STOP_DELAY_SECONDS: '120' }
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  await using _ = { [Symbol.asyncDispose]: async () => void (child.kill('SIGKILL') && (await exited)) }
  let url = ''
  for await (const line of createInterface(child.stdout)) {
    url = /^Ready at (\S+)/.exec(line)?.[1] ?? ''
    if (url !== '') break
  }
  child.stdout.resume()
  child.kill('SIGTERM')
  await waitFor(async () => (await fetch(`${url}/ready`)).status === 503)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  // One that comes within half a second counts as the first one.
  await waitFor(() => {
    child.kill('SIGTERM')
    return child.signalCode
  })
  expect(child.signalCode).toBe('SIGTERM')
})
