import type { OutboundTelephony } from '../ports/outbound-telephony.ts'
import type { Telephony } from '../ports/telephony.ts'
import type { ProviderSettings } from '../ports/configuration/provider-field.ts'
import type { LanguageModel, ModelChoice } from '../ports/language-model.ts'
import { hashOf } from '../kernel/ids.ts'
import type { Speech } from '../ports/speech.ts'
import type { PortGuard } from './port-guard.ts'

/** The ports of third parties, each with its breaker, retries and metrics. `chosen` identifies the account. */
export type GuardedPorts = {
  telephony(port: Telephony, chosen: ProviderSettings | null): Telephony
  outbound(port: OutboundTelephony, chosen: ProviderSettings | null): OutboundTelephony
  languageModel(port: LanguageModel, chosen: ModelChoice): LanguageModel
  /** `account`: the provider with its address and key. */
  speech(port: Speech, account: string): Speech
}

export function guardPorts(ports: PortGuard): GuardedPorts {
  return {
    telephony: (port, chosen) =>
      ports.guard(port, {
        port: 'telephony',
        account: accountOf(chosen),
        methods: {
          signIn: 'again',
          signOut: 'again',
          setState: 'again',
          dial: 'once',
          control: 'once',
          pauseRecording: 'again',
          recordDisposition: 'again',
          missedCalls: 'again',
          // Not repeated, because the provider allows only a few per minute.
          callRecordPage: 'once',
          callRecord: 'once',
          subscribe: 'again',
        },
      }),
    outbound: (port, chosen) =>
      ports.guard(port, {
        port: 'outbound',
        account: accountOf(chosen),
        methods: { dial: 'once', endedCall: 'again', recording: 'again' },
      }),
    // Not repeated here, because the adapter has its own retries.
    languageModel: (port, { provider, model }) =>
      ports.guard(port, {
        port: 'language-model',
        account: `${provider}:${model}`,
        methods: { structured: 'once', converse: 'stream' },
      }),
    // Not repeated, because each transcription costs money.
    speech: (port, account) => ports.guard(port, { port: 'speech', account: hashOf(account), methods: { transcribe: 'once' } }),
  }
}

function accountOf(chosen: ProviderSettings | null): string {
  return hashOf(JSON.stringify(chosen))
}
