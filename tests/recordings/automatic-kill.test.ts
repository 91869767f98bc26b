import { expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '../../src/sandbox/start.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApp } from '../harness/start-app.ts'

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const statusSchema = z.object({ state: z.string() }).partial()

test('what a killed process was analysing is analysed by the next one', async () => {
  await using dir = await createTempDir()
  await using sandbox = await startSandbox({ dataDir: null })
  const { telephony, speech } = sandbox.standIns
  const environment = { ...sandbox.environmentOf('demo'), DATA_DIR: dir.path, PORT: '0' }
  let token = ''
  const ask = async (method: string, address: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) }
    return (await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json()
  }
  const statusOf = async (url: string) => statusSchema.parse(await ask('GET', `${url}/api/recordings/${ucid}/status`))
  let ucid = ''
  {
    await using victim = await startServiceProcess(environment)
    const { url } = victim
    const account = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
    token = signInSchema.parse(await ask('POST', `${url}/auth/login`, account)).tokens.accessToken.token
    await ask('PUT', `${url}/api/config/ai`, { recordings: { automatic: { enabled: true } } })
    const { path } = z.object({ path: z.string() }).parse(await ask('POST', `${url}/api/calls/callback-keys`, { provider: 'ozonetel' }))
    telephony.accountMode({ endOfCall: 'atOnce', endOfCallUrl: url + path })
    speech.fault({ operation: '/v1/listen', act: 'hang' })
    ucid = telephony.inboundCall({ from: '+919820011111', agentId: 'agent1' }).ucid
    await waitFor(async () => (await statusOf(url)).state === 'RUNNING')
    await waitFor(() => speech.calls('POST /v1/listen').length === 1)
    telephony.accountMode({ endOfCallUrl: null })
    await victim.kill()
  }
  speech.clearFaults()
  // Later than the leases of a dead process last.
  const clock = { now: () => Date.now() + 90_000 }
  await using service = await startApp(environment, { clock })
  await waitFor(async () => (await statusOf(service.url)).state === 'DONE')
  expect(speech.calls('POST /v1/listen')).toHaveLength(2)
})
