import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { loggedReason } from '../../kernel/logged-error.ts'
import type { Breakers } from '../../kernel/breakers.ts'
import { acquireLease } from '../../ports/lease.ts'
import type { AlertsSection } from '../../ports/configuration/alerts.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { Breach, RaisedAlert } from './alert.ts'
import type { AlertOutbox } from './alert-outbox.ts'
import { alertIdOf, addAlert, clearAlert, readAlertState, writeAlertState } from './alert-store.ts'
import { type AlertState, changesOf, keyOfBreach, stateAt } from './alert-state.ts'
import { noteFailing } from './failing-upstreams.ts'
import { findBreaches } from './find-breaches.ts'

/** Topic of notifications between instances; the payload is the alert's id. */
export const alertTopic = 'alert.changed'

type Evaluated = Pick<Ports, 'clock' | 'configuration' | 'log' | 'notifications' | 'store'> &
  Pick<SessionPorts, 'sessionBox'> & { readonly alertOutbox: Pick<AlertOutbox, 'add'> }

/**
 * Raises and clears the alerts of all workspaces; run again and again, on every instance. One instance at a time evaluates a workspace. A workspace
 * that fails does not delay the others. Errors: STORE_UNAVAILABLE.
 */
export async function evaluateAlerts(
  ports: Evaluated &
    Pick<Ports, 'workspaces'> & {
      readonly breakers: Pick<Breakers, 'failing'>
      readonly servedWorkspaces: { readonly workspaces: readonly string[] }
    },
): Promise<void> {
  await noteFailing(ports)
  await Promise.all(ports.servedWorkspaces.workspaces.map((subdomain) => evaluateNamed(ports, subdomain)))
}

async function evaluateNamed(ports: Parameters<typeof evaluateAlerts>[0], subdomain: string): Promise<void> {
  try {
    const workspaceId = await ports.workspaces.idOf(subdomain)
    if (workspaceId !== null) await evaluateWorkspace(ports, workspaceId)
  } catch (error) {
    // The store or the platform is away, which /health shows, or the section cannot be read. The next run tries again.
    const isKnown = error instanceof AppError
    ports.log[isKnown ? 'debug' : 'warn']({ subdomain, reason: loggedReason(error) }, 'alert.not-evaluated')
  }
}

/** Errors: STORE_UNAVAILABLE, OVERLOADED (webhooks cannot be queued); the next run repeats what is missing. */
async function evaluateWorkspace(ports: Evaluated, workspaceId: string): Promise<void> {
  const { store, log } = ports
  const section = await ports.configuration.read(workspaceId, 'alerts')
  if (!hasThreshold(section) && !hasRaised((await readAlertState(ports, workspaceId)).state)) return
  await using lease = await acquireLease(store, `alerts-lease:${workspaceId}`, { log })
  if (!lease) return
  const { text, state } = await readAlertState(ports, workspaceId)
  const before = stateAt(state, ports.clock.now())
  const breaches = await findBreaches(ports, { workspaceId, section, now: before.evaluatedAt, watchedSince: before.watchedSince })
  const changes = changesOf(before, breaches)
  // What identifies an alert is stored before the alert: a repetition after a crash raises the same one.
  const seen = withoutRaises(changes.state, changes.raise)
  const expected =
    changes.raise.length === 0 ? text : await writeAlertState(ports, workspaceId, { expected: text, state: withUncleared(seen, before) })
  const isOurs = changes.raise.length === 0 || expected !== null
  if (!isOurs || lease.lost.aborted) return
  for (const { breach, since } of changes.raise) await raise(ports, workspaceId, { breach, since })
  for (const { key, since } of changes.clear) await clear(ports, workspaceId, alertIdOf(workspaceId, key, since))
  await writeAlertState(ports, workspaceId, { expected, state: changes.state })
}

function hasThreshold({ openHours: _hours, webhook: _webhook, ...thresholds }: AlertsSection): boolean {
  return Object.values(thresholds).some((threshold) => threshold !== null)
}

function hasRaised(state: AlertState | null): boolean {
  return Object.values(state?.conditions ?? {}).some(({ raisedAt }) => raisedAt !== null)
}

/** The state before the alerts are raised. */
function withoutRaises(state: AlertState, raise: readonly { readonly breach: Breach }[]): AlertState {
  const raised = new Set(raise.map(({ breach }) => keyOfBreach(breach)))
  const conditions: AlertState['conditions'] = {}
  for (const [key, condition] of Object.entries(state.conditions))
    conditions[key] = raised.has(key) ? { ...condition, raisedAt: null } : condition
  return { ...state, conditions }
}

/** What is cleared in this run is still in the state until it is. */
function withUncleared(state: AlertState, before: AlertState): AlertState {
  return { ...state, conditions: { ...before.conditions, ...state.conditions } }
}

type Raised = { readonly breach: Breach; readonly since: number }

async function raise(ports: Evaluated, workspaceId: string, { breach, since }: Raised): Promise<void> {
  const { kind, subject, value, threshold } = breach
  const id = alertIdOf(workspaceId, keyOfBreach(breach), since)
  const raisedAt = isoMoment(ports.clock.now())
  const facts = { kind, subject, value, threshold, raisedAt }
  const alert: RaisedAlert = { id, ...facts, clearedAt: null, acknowledgedAt: null, acknowledgedBy: null }
  await addAlert(ports, workspaceId, alert)
  await ports.alertOutbox.add(workspaceId, 'alert.raised', alert)
  ports.log.warn({ workspaceId, alert: id, kind, subject: subject?.id ?? null, value, threshold }, 'alert.raised')
  await ports.notifications.publish({ topic: alertTopic, workspaceId, payload: id })
}

async function clear(ports: Evaluated, workspaceId: string, id: string): Promise<void> {
  const alert = await clearAlert(ports, { workspaceId, id }, isoMoment(ports.clock.now()))
  if (!alert) return
  await ports.alertOutbox.add(workspaceId, 'alert.cleared', alert)
  ports.log.info({ workspaceId, alert: id, kind: alert.kind, subject: alert.subject?.id ?? null }, 'alert.cleared')
  await ports.notifications.publish({ topic: alertTopic, workspaceId, payload: id })
}
