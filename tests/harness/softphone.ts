import type { SipCall } from '../../src/sandbox/sip/calls.ts'
import type { ConsoleStage } from './console.ts'
import { waitFor } from './wait-for.ts'

/** The call that has rung last at the stand-in of the phone server. */
export function lastCall({ app }: ConsoleStage): SipCall {
  const call = app.standIns.sip.calls.at(-1)
  if (!call) throw new Error('no call has rung')
  return call
}

/** The customer hears the agent. */
export async function expectAudio(call: SipCall): Promise<void> {
  const before = call.received()
  await waitFor(() => call.received() > before + 10)
}
