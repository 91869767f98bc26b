import type { Caller } from '../../access/request-context.ts'
import type { WatchCaller } from '../auth/still-allowed.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Outbox } from '../../ports/outbox.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { LeadActivityRecords } from '../../ports/insight-records.ts'
import type { Audit } from '../../ports/audit.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Notices } from '../../ports/notifications.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { Store } from '../../ports/store.ts'
import { createAcceptCallback } from './receive-webhook.ts'
import { createAgentBook } from './agent-state-store.ts'
import { createCallBook } from './call-state-store.ts'
import { createCallbackInbox } from './webhook-inbox.ts'
import { createCallbackKeys, type CallbackTarget } from './webhook-keys.ts'
import { createControlCall } from './control-call.ts'
import { createCurrentCall } from './current-call.ts'
import { createDial } from './dial.ts'
import { createDialOnce } from './dial-once.ts'
import { createDispositionIntents } from './disposition-intents.ts'
import { createEnrichCall } from './enrich-call.ts'
import { createFinishDisposition, createSweepDispositions } from './finish-disposition.ts'
import { createLastPops } from './recent-screen-pops.ts'
import { createAgentStates, createCallEvents } from './live.ts'
import { createLookupCall } from './lookup.ts'
import { createMissedCalls } from './missed-calls.ts'
import { createNoteCall } from './update-call.ts'
import type { OutboundTelephony } from '../../ports/outbound-telephony.ts'
import { createFindOwnCall } from './own-call.ts'
import type { CallAgentOf } from './call-agent.ts'
import type { AgentDirectory, CallRecords, LeadAgenda, LeadRecords } from '../../ports/call-records.ts'
import { createPromisedCalls } from './scheduled-callbacks.ts'
import { createRecordQueue } from './record-queue.ts'
import { createRotateCallbackKey } from './rotate-webhook-key.ts'
import { createSetAgentState } from './set-agent-state.ts'
import { createSubmitDisposition } from './submit-disposition.ts'
import type { Telephony } from '../../ports/telephony.ts'
import type { TelephonyCallbacks } from '../../ports/telephony-webhooks.ts'
import { createSweepMissed, createTrack } from './track.ts'
import { createWriteRecords } from './write-records.ts'

export type CallsOptions = {
  readonly records: {
    readonly leads: LeadRecords
    readonly calls: CallRecords
    readonly agenda: LeadAgenda
    readonly activity: LeadActivityRecords
    readonly agentDirectory: AgentDirectory
  }
  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  /** Null where the workspace has no second provider. */
  readonly outboundOf: (workspaceId: string) => Promise<OutboundTelephony | null>
  readonly callbacksOf: (target: CallbackTarget) => Promise<TelephonyCallbacks>
  readonly languageModelOf: (workspaceId: string) => Promise<LanguageModel>
  /** Ids of the telephony providers that call back. */
  readonly callbackProviders: readonly string[]
  readonly agentOf: CallAgentOf
  readonly hasSession: (caller: Caller) => Promise<boolean>
  readonly watchCaller: WatchCaller
  readonly configuration: Configuration
  readonly bus: EventBus
  /** Keeps callbacks until they are worked. */
  readonly outbox: Outbox
  readonly store: Store
  readonly notices: Notices
  readonly audit: Audit
  readonly publicUrl: string | null
  readonly clock: Clock
  readonly log: Log
}

/** What happens on a call: the use cases, put together. */
export type Calls = ReturnType<typeof createCalls>

export function createCalls(options: CallsOptions) {
  const { records, agentOf, store, clock } = options
  const now = (): number => clock.now()
  const books = createCallBooks(options)
  const { book, missed } = books
  const deps = { ...options, ...records, ...books, now, agents: records.agentDirectory }
  const findOwnCall = createFindOwnCall(deps)
  const pops = createLastPops(store)
  const lookup = createLookupCall({ ...deps, pops, findOwnCall })
  const intents = createDispositionIntents(store, clock)
  const finish = createFinishDisposition({ ...deps, intents })
  const inbox = createCallbackInbox(options)
  const live = { ...deps, agentOf }
  return {
    lookup,
    current: createCurrentCall({ lookup, book, pops, agentOf }),
    enrich: createEnrichCall(deps),
    dial: createDial({ ...deps, pops, once: createDialOnce(store) }),
    control: createControlCall({ ...deps, findOwnCall }),
    setAgentState: createSetAgentState(deps),
    submitDisposition: createSubmitDisposition({ ...deps, intents, finish, findOwnCall }),
    missed,
    controlsOf: (workspaceId: string, ucid: string) => book.controls(workspaceId, ucid),
    callEvents: createCallEvents(live),
    agentStates: createAgentStates(live),
    /** The agent's record, as far as the caller may see it. */
    async agentRecordId({ principal, accessToken }: Caller, providerAgentId: string): Promise<string | null> {
      const entry = records.agentDirectory.recordOf(asPerson(principal.workspaceId, accessToken), providerAgentId)
      return (await entry.catch(() => null))?.id ?? null
    },
    ...callbackUseCases(options, { keys: books.keys, inbox }),
    /** Works what came in, from now on. */
    start: () => inbox.start(createTrack(deps)),
    stop: () => inbox.stop(),
    sweeps: [
      { name: 'dispositions', everyMs: 15_000, run: createSweepDispositions(intents, finish, now) },
      { name: 'missed calls', everyMs: 1_000, run: createSweepMissed(deps) },
      { name: 'call records', everyMs: 500, run: createWriteRecords(deps) },
    ] as const,
  }
}

/** What we keep of calls and agents. */
export function createCallBooks({ store, notices, clock }: Pick<CallsOptions, 'store' | 'notices' | 'clock'>) {
  const now = (): number => clock.now()
  const book = createCallBook(store, now)
  const queue = createRecordQueue(store, now)
  return {
    book,
    queue,
    note: createNoteCall({ book, queue, notices }),
    agentBook: createAgentBook(store, now),
    missed: createMissedCalls(store, now),
    promised: createPromisedCalls(store, now),
    keys: createCallbackKeys(store, clock),
  }
}

type CallbackParts = { readonly keys: ReturnType<typeof createCallbackKeys>; readonly inbox: ReturnType<typeof createCallbackInbox> }

function callbackUseCases({ callbacksOf, callbackProviders: providers, audit }: CallsOptions, { keys, inbox }: CallbackParts) {
  return {
    acceptCallback: createAcceptCallback({ keys, inbox, callbacksOf }),
    rotateCallbackKey: createRotateCallbackKey({ keys, providers, audit }),
    listCallbackKeys: (workspaceId: string) => keys.list(workspaceId, providers),
  }
}
