import type { Declared } from '../../ports/stored/declaration.ts'
import { agentStateLog } from './agent-state/agent-state-log.ts'
import { presences, reportedAgents } from './agent-state/agent-state-store.ts'
import { callActionLease } from './control/call-lease.ts'
import { noteTakers, typedNotes } from './state/call-notes.ts'
import { liveCalls, startedCalls, storedCalls, storedControls } from './state/call-state-store.ts'
import { changedCalls } from './state/changed-calls.ts'
import { askedOutboundCalls, openOutboundCalls } from './tracking/check-outbound-calls.ts'
import { perhapsMissedCalls } from './missed-calls/confirm-missed-calls.ts'
import { diallingLease } from './dialling/dial.ts'
import { dialAttempts } from './state/dial-once.ts'
import { formerOpenDispositions, storedDispositions, unfinishedDispositions } from './outcomes/disposition-intents.ts'
import { enrichments } from './screen-pop/enrich-call.ts'
import { accountOwners, lastLiveEvents, subscribingLease, subscriptions } from './live-events/subscription.ts'
import { missedCallItems, missedCalls, waitingMissedCalls } from './missed-calls/missed-call-store.ts'
import { screenPops } from './screen-pop/recent-screen-pops.ts'
import { wantedComparisons } from './reconciliation/compare-soon.ts'
import { recordsAsked } from './reconciliation/long-calls.ts'
import { comparisonLease } from './reconciliation/reconcile-calls.ts'
import { reconciledWorkspaces, reconciliationStates } from './reconciliation/reconciliation-state.ts'
import { callWorkspaces, formerTakenRecords, queuedRecords } from './state/record-queue.ts'
import { transfers } from './outcomes/transfer-state.ts'
import { createdLeads, leftOutCallers } from './unknown-callers/hourly-limit.ts'
import { callerProgress, formerUnknownCallers, unknownCallers } from './unknown-callers/queue-unknown-caller.ts'
import { currentWebhookKeys, webhookTargets } from './webhook-store/webhook-keys.ts'
import { failedWebhooks, lastWebhooks, loggedWebhooks, webhookCounts } from './webhook-store/entry.ts'
import { failedWebhookReports } from './webhook-store/failed-webhook.ts'
import { openEntries, worklistEntries } from './worklist-entries/entry-store.ts'
import { lastReached } from './worklist-entries/last-reached.ts'
import { queuedTaskWrites, taskWrites } from './worklist-entries/task-queue.ts'
import { recordsWrittenAlone } from './records/write-alone.ts'

/** What this feature stores. */
export const callStoredValues: readonly { readonly declaration: Declared }[] = [
  accountOwners,
  agentStateLog,
  askedOutboundCalls,
  callActionLease,
  callerProgress,
  callWorkspaces,
  changedCalls,
  comparisonLease,
  createdLeads,
  currentWebhookKeys,
  dialAttempts,
  diallingLease,
  enrichments,
  failedWebhookReports,
  failedWebhooks,
  formerOpenDispositions,
  formerTakenRecords,
  formerUnknownCallers,
  lastLiveEvents,
  lastReached,
  lastWebhooks,
  leftOutCallers,
  liveCalls,
  loggedWebhooks,
  missedCallItems,
  missedCalls,
  noteTakers,
  openEntries,
  openOutboundCalls.items,
  perhapsMissedCalls.items,
  presences,
  queuedRecords.items,
  queuedTaskWrites.items,
  reconciledWorkspaces,
  reconciliationStates,
  recordsAsked,
  recordsWrittenAlone,
  reportedAgents,
  screenPops,
  startedCalls,
  storedCalls,
  storedControls,
  storedDispositions,
  subscribingLease,
  subscriptions,
  taskWrites,
  transfers,
  typedNotes,
  unfinishedDispositions.items,
  unknownCallers.items,
  waitingMissedCalls,
  wantedComparisons,
  webhookCounts,
  webhookTargets,
  worklistEntries,
]
