import { expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '../../src/sandbox/start.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApp } from '../harness/start-app.ts'

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

test('a stop ends the analysis at once; after the start it goes on by itself', async () => {
  await using dir = await createTempDir()
  await using sandbox = await startSandbox({ dataDir: null })
  const { telephony, speech } = sandbox.standIns
  const environment = { ...sandbox.environmentOf('demo'), DATA_DIR: dir.path, PORT: '0' }
  let token = ''
  const ask = async (method: string, address: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) }
    return (await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json()
  }
  const stateOf = async (url: string, ucid: string) =>
    z.object({ state: z.string().optional() }).parse(await ask('GET', `${url}/api/recordings/${ucid}/status`)).state

  const ucids: string[] = []
  const areInProgress = async (url: string): Promise<boolean> => {
    const states = await Promise.all(ucids.map((ucid) => stateOf(url, ucid)))
    return states.filter((state) => state === 'RUNNING').length === 2 && states.includes('WAITING')
  }
  let stoppedAt = 0
  {
    await using service = await startApp(environment)
    const { url } = service
    const account = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
    token = signInSchema.parse(await ask('POST', `${url}/auth/login`, account)).tokens.accessToken.token
    await ask('PUT', `${url}/api/config/ai`, { recordings: { automatic: { enabled: true } } })
    const { path } = z.object({ path: z.string() }).parse(await ask('POST', `${url}/api/calls/callback-keys`, { provider: 'ozonetel' }))
    telephony.accountMode({ endOfCall: 'atOnce', endOfCallUrl: url + path })
    speech.fault({ operation: '/v1/listen', act: 'hang' })
    for (let count = 0; count < 3; count += 1) ucids.push(telephony.inboundCall({ from: '+919820011111', agentId: 'agent1' }).ucid)
    await waitFor(async () => await areInProgress(url))
    telephony.accountMode({ endOfCallUrl: null })
    stoppedAt = performance.now()
  }
  expect(performance.now() - stoppedAt).toBeLessThan(30_000)
  speech.clearFaults()
  await using service = await startApp(environment)
  for (const ucid of ucids) await waitFor(async () => (await stateOf(service.url, ucid)) === 'DONE')
})
