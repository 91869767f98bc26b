import { newId } from '../../src/kernel/ids.ts'
import type { Telephony } from '../../src/ports/telephony.ts'

/** A provider that does whatever it is asked, and has no records of its own. */
export function createFakeTelephony(changes: Partial<Telephony> = {}): Telephony {
  return {
    capabilities: new Set([
      'AGENT_SIGN_IN',
      'AGENT_STATE',
      'DIAL',
      'HOLD',
      'MUTE',
      'CONFERENCE',
      'HANG_UP',
      'PAUSE_RECORDING',
      'DISPOSITION',
      'MISSED_CALLS',
      'CALL_RECORDS',
      'WEBHOOKS',
    ]),
    signIn: async () => ({ alreadySignedIn: false }),
    signOut: async () => ({ wasSignedIn: true }),
    setState: async () => {},
    dial: async () => ({ ucid: newId() }),
    control: async () => {},
    pauseRecording: async () => {},
    recordDisposition: async () => ({ outcome: 'SAVED' }),
    missedCalls: async () => [],
    callRecordPage: async () => ({ records: [], unreadable: 0, next: null }),
    callRecord: async () => null,
    subscribe: async () => {},
    ...changes,
  }
}
