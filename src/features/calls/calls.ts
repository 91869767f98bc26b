import type { Actor } from '../../access/actor.ts'
import type { WatchCaller } from '../auth/watch-actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Outbox } from '../../ports/outbox.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { LeadActivityRecords } from '../../ports/insight-records.ts'
import type { Audit } from '../../ports/audit.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Notifications } from '../../ports/notifications.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { Store } from '../../ports/store.ts'
import { createReceiveWebhook } from './receive-webhook.ts'
import { createAgentStateStore } from './agent-state-store.ts'
import { createCallStateStore } from './call-state-store.ts'
import { createWebhookInbox } from './webhook-inbox.ts'
import { createWebhookKeys, type WebhookTarget } from './webhook-keys.ts'
import { createControlCall } from './control-call.ts'
import { createCurrentCall } from './read-current-call.ts'
import { createDial } from './dial.ts'
import { createDialOnce } from './dial-once.ts'
import { createDispositionIntents } from './disposition-intents.ts'
import { createEnrichCall } from './enrich-call.ts'
import { createFinishDisposition, createRetryDispositions } from './finish-disposition.ts'
import { createRecentScreenPops } from './recent-screen-pops.ts'
import { createAgentStates, createCallEvents } from './follow-calls.ts'
import { createLookupCall } from './look-up-call.ts'
import { createMissedCalls } from './missed-calls.ts'
import { createUpdateCall } from './update-call.ts'
import type { OutboundTelephony } from '../../ports/outbound-telephony.ts'
import { createFindOwnCall } from './find-own-call.ts'
import type { CallAgentOf } from './call-agent.ts'
import type { AgentDirectory, CallRecords, LeadAgenda, LeadRecords } from '../../ports/call-records.ts'
import { createScheduledCallbacks } from './scheduled-callbacks.ts'
import { createRecordQueue } from './record-queue.ts'
import { createRotateWebhookKey } from './rotate-webhook-key.ts'
import { createSetAgentState } from './set-agent-state.ts'
import { createSubmitDisposition } from './submit-disposition.ts'
import type { Telephony } from '../../ports/telephony.ts'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import { createSettleMissedCalls, createTrack } from './track-update.ts'
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
  readonly webhooksOf: (target: WebhookTarget) => Promise<TelephonyWebhooks>
  readonly languageModelOf: (workspaceId: string) => Promise<LanguageModel>
  /** Ids of the telephony providers that call back. */
  readonly webhookProviders: readonly string[]
  readonly agentOf: CallAgentOf
  readonly hasSession: (caller: Actor) => Promise<boolean>
  readonly watchCaller: WatchCaller
  readonly configuration: Configuration
  readonly bus: EventBus
  /** Keeps callbacks until they are worked. */
  readonly outbox: Outbox
  readonly store: Store
  readonly notifications: Notifications
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
  const books = createCallStores(options)
  const { book, missed } = books
  const deps = { ...options, ...records, ...books, now, agents: records.agentDirectory }
  const findOwnCall = createFindOwnCall(deps)
  const screenPops = createRecentScreenPops(store)
  const lookup = createLookupCall({ ...deps, screenPops, findOwnCall })
  const intents = createDispositionIntents(store, clock)
  const finish = createFinishDisposition({ ...deps, intents })
  const inbox = createWebhookInbox(options)
  const live = { ...deps, agentOf }
  return {
    lookup,
    current: createCurrentCall({ lookup, book, screenPops, agentOf }),
    enrich: createEnrichCall(deps),
    dial: createDial({ ...deps, screenPops, once: createDialOnce(store) }),
    control: createControlCall({ ...deps, findOwnCall }),
    setAgentState: createSetAgentState(deps),
    submitDisposition: createSubmitDisposition({ ...deps, intents, finish, findOwnCall }),
    missed,
    controlsOf: (workspaceId: string, ucid: string) => book.controls(workspaceId, ucid),
    callEvents: createCallEvents(live),
    agentStates: createAgentStates(live),
    /** The agent's record, as far as the caller may see it. */
    async agentRecordId({ principal, accessToken }: Actor, providerAgentId: string): Promise<string | null> {
      const entry = records.agentDirectory.recordOf(asPerson(principal.workspaceId, accessToken), providerAgentId)
      return (await entry.catch(() => null))?.id ?? null
    },
    ...callbackUseCases(options, { keys: books.keys, inbox }),
    /** Works what came in, from now on. */
    start: () => inbox.start(createTrack(deps)),
    stop: () => inbox.stop(),
    scheduledJobs: [
      { name: 'dispositions', everyMs: 15_000, run: createRetryDispositions(intents, finish, now) },
      { name: 'missed calls', everyMs: 1_000, run: createSettleMissedCalls(deps) },
      { name: 'call records', everyMs: 500, run: createWriteRecords(deps) },
    ] as const,
  }
}

/** What we keep of calls and agents. */
export function createCallStores({ store, notifications, clock }: Pick<CallsOptions, 'store' | 'notifications' | 'clock'>) {
  const now = (): number => clock.now()
  const book = createCallStateStore(store, now)
  const queue = createRecordQueue(store, now)
  return {
    book,
    queue,
    note: createUpdateCall({ book, queue, notifications }),
    agentStates: createAgentStateStore(store, now),
    missed: createMissedCalls(store, now),
    scheduledCallbacks: createScheduledCallbacks(store, now),
    keys: createWebhookKeys(store, clock),
  }
}

type CallbackParts = { readonly keys: ReturnType<typeof createWebhookKeys>; readonly inbox: ReturnType<typeof createWebhookInbox> }

function callbackUseCases({ webhooksOf, webhookProviders: providers, audit }: CallsOptions, { keys, inbox }: CallbackParts) {
  return {
    receiveWebhook: createReceiveWebhook({ keys, inbox, webhooksOf }),
    rotateCallbackKey: createRotateWebhookKey({ keys, providers, audit }),
    listCallbackKeys: (workspaceId: string) => keys.list(workspaceId, providers),
  }
}
