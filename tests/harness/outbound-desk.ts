import { z } from 'zod'
import type { SandboxWorkspace } from '../../src/sandbox/accounts.ts'
import { createTestApp, type TestApp, type TestAppOptions, type TestSignIn } from './app.ts'
import { ownPublicUrl } from './connect-telephony.ts'

const dialled = z.object({ ucid: z.string(), callId: z.string(), provider: z.literal('exotel') })

/** The service at an address that the second provider can reach, and an agent who calls customers through it. */
export type OutboundDesk = TestApp & {
  readonly agent: TestSignIn
  /** The UCID and the record's id of the call that was made. Fails if it was not made. */
  dial(phoneNumber: string, agent?: TestSignIn): Promise<z.output<typeof dialled>>
  record(ucid: string, workspace?: SandboxWorkspace): Readonly<Record<string, unknown>>
  dispose(ucid: string, outcome: Readonly<Record<string, unknown>>): Promise<{ readonly status: number; readonly body: unknown }>
}

export async function createOutboundDesk({ environment, ...options }: TestAppOptions = {}): Promise<OutboundDesk> {
  await using starting = new AsyncDisposableStack()
  const app = starting.use(await createTestApp({ ...options, environment: { ...ownPublicUrl, ...environment } }))
  app.standIns.outbound.waitForCommands()
  const agent = await app.signIn('agent1@demo.example')
  starting.move()
  return {
    ...app,
    agent,
    async dial(phoneNumber, { token } = agent) {
      const body = { phoneNumber, via: 'OUTBOUND', agentPhoneNumber: '98450 12345' }
      return dialled.parse((await app.rest('POST', '/api/calls/dial', { token, body })).body)
    },
    record: (ucid, workspace = 'demo') => app.standIns.platform.records(workspace, 'call', { ucid: { eq: ucid } })[0] ?? {},
    dispose: (ucid, body) => app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body }),
  }
}
