import { expect, test } from 'vitest'
import { z } from 'zod'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { freePort } from '../harness/free-port.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { waitFor } from '../harness/wait-for.ts'

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const dialSchema = z.object({ ucid: z.string() })
const currentSchema = z.object({ call: z.object({ phase: z.string() }) })

test('calls dialled in the sandbox go on by themselves: nobody has to set callbacks up', async () => {
  await using directory = await createTempDir()
  const port = await freePort()
  await using service = await startServiceProcess({ PORT: String(port), DATA_DIR: directory.path })
  const ask = async (path: string, body?: unknown, token = ''): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`http://127.0.0.1:${port}${path}`, init)).json()
  }
  const phasesOf = async (email: string, via: object): Promise<readonly string[]> => {
    const credentials = { email, password: sandboxPassword, workspace: email.split(/[@.]/)[1] }
    const { token } = signInSchema.parse(await ask('/auth/login', credentials)).tokens.accessToken
    dialSchema.parse(await ask('/api/calls/dial', { phoneNumber: '98140 12345', ...via }, token))
    const phases = new Set<string>()
    const isOver = async (): Promise<boolean> => {
      const { phase } = currentSchema.parse(await ask('/api/calls/current', undefined, token)).call
      phases.add(phase)
      return phase === 'COMPLETED'
    }
    await waitFor(isOver)
    return [...phases]
  }
  await waitFor(() => service.said().includes('The telephony stand-in reports calls'))
  // A developer's frontend, on any port of this machine.
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:8080']) {
    const { headers } = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'OPTIONS', headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
  }
  const outbound = { via: 'OUTBOUND', agentPhoneNumber: '98140 54321' }
  const seen = await Promise.all([
    phasesOf('agent1@demo.example', {}),
    phasesOf('agent2@demo.example', outbound),
    phasesOf('agent1@acme.example', {}),
  ])
  for (const phases of seen) expect(phases).toEqual(['RINGING', 'ANSWERED', 'COMPLETED'])
})
