import type { AlertAddress, AlertReceiver } from '../ports/alert-receiver.ts'
import type { OutboundTelephony } from '../ports/outbound-telephony.ts'
import type { Telephony } from '../ports/telephony.ts'
import type { ProviderSettings } from '../ports/configuration/provider-field.ts'
import type { LanguageModel, ModelChoice } from '../ports/language-model.ts'
import type { BreakerRules } from '../kernel/circuit-breaker.ts'
import { reachServer } from '../kernel/http-client.ts'
import { hashOf } from '../kernel/ids.ts'
import type { Speech } from '../ports/speech.ts'
import type { Guarded, PortGuard } from './port-guard.ts'

/** The account that a workspace has chosen. */
type Chosen = { readonly workspaceId: string; readonly provider: ProviderSettings | null }

/** `url`: the base address of the provider, without a key. */
type Address = { readonly url: string }

/** The ports of third parties, each with its breaker, retries and metrics. A workspace's own account cannot block another workspace. */
export type GuardedPorts = {
  telephony(port: Telephony, chosen: Chosen): Telephony
  outbound(port: OutboundTelephony, chosen: Chosen): OutboundTelephony
  languageModel(port: LanguageModel, chosen: Pick<ModelChoice, 'provider' | 'model'> & Address): LanguageModel
  /** `account`: the provider with its address and key. */
  speech(port: Speech, opened: Address & { readonly provider: string; readonly account: string }): Speech
  alertReceiver(port: AlertReceiver, address: AlertAddress): AlertReceiver
}

export function guardPorts(ports: PortGuard): GuardedPorts {
  return {
    telephony: (port, chosen) =>
      ports.guard(port, {
        port: 'telephony',
        who: 'The telephony provider',
        ...accountOf(chosen),
        rules: unhurried,
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
    outbound: (port, chosen) => {
      const account = { ...accountOf(chosen), rules: unhurried }
      const calls = ports.guard(port, {
        port: 'outbound',
        who: 'The provider of outbound calls',
        ...account,
        methods: { dial: 'once', endedCall: 'again' },
      })
      // Recordings come from other servers than calls, so the one must not pause the other.
      return ports.guard(calls, { port: 'recordings', who: 'The server of recordings', ...account, methods: { recording: 'again' } })
    },
    languageModel: (port, { provider, model, url }) =>
      ports.guard(port, {
        port: 'language-model',
        provider,
        who: 'The language model',
        account: `${provider}:${model}`,
        rules: patient(url),
        methods: { structured: 'again', converse: 'stream' },
      }),
    // Not repeated, because each transcription costs money.
    speech: (port, { provider, account, url }) =>
      ports.guard(port, {
        port: 'speech',
        provider,
        who: 'The speech provider',
        account: hashOf(account),
        rules: patient(url),
        methods: { transcribe: 'once' },
      }),
    alertReceiver: (port, address) => ports.guard(port, alertReceiverOf(address)),
  }
}

/** Not repeated, because the outbox does that. */
function alertReceiverOf({ workspaceId, url }: AlertAddress): Guarded<AlertReceiver> {
  const name = 'alert-receiver'
  const rules = { ...unhurried, openMs: 8_000 }
  return { port: name, provider: name, who: 'The receiver of alerts', account: hashOf(url), workspaceId, rules, methods: { send: 'once' } }
}

/** Good answers of telephony take 3 to 4 s when a shift starts. A stall must be found within 5 s. */
const unhurried: BreakerRules = { silence: { calls: 3, ms: 4_500 } }

/** An answer may take minutes. So if several are silent, the provider's server is asked whether it answers anything at all, which costs nothing. */
function patient(url: string): BreakerRules {
  // Together less than 5 s. A new connection to a distant server alone may take more than a second.
  const silence = { calls: 3, ms: 1_500 }
  return { silence, probe: (signal) => reachServer({ who: 'The provider', url, signal }), probeDeadlineMs: 3_000 }
}

function accountOf({ workspaceId, provider }: Chosen): Pick<Guarded<object>, 'provider' | 'account'> & { readonly workspaceId: string } {
  return { provider: provider?.id ?? 'none', account: hashOf(JSON.stringify(provider)), workspaceId }
}
