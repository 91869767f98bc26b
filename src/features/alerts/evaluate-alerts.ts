import { AppError, type ErrorReason } from '../../kernel/errors.ts'
import { loggedReason } from '../../kernel/logged-error.ts'
import type { Breakers } from '../../kernel/breakers.ts'
import type { AlertsSection } from '../../ports/configuration/alerts.ts'
import { countAlert } from '../../ports/figures.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Version } from '../../ports/store.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import { type AlertFacts, thresholdFields } from './alert.ts'
import type { AlertOutbox } from './alert-outbox.ts'
import { alertStates, storeAlert } from './alert-store.ts'
import { type AlertState, stateAt, stateWith, unpublished, withPublished } from './alert-state.ts'
import { noteFailing } from './failing-upstreams.ts'
import { findBreaches } from './find-breaches.ts'

/** Topic of notifications between instances; the payload is the alert's id. */
export const alertTopic = 'alert.changed'

/** Less than the time between two runs: another instance has just evaluated the workspace. */
const freshMs = 1_500
const maxAtOnce = 8
/** The store or the platform is away. */
const shownByHealth: ReadonlySet<ErrorReason> = new Set(['STORE_UNAVAILABLE', 'PROVIDER_UNAVAILABLE', 'DEADLINE_PASSED'])

type Evaluated = Pick<Ports, 'clock' | 'configuration' | 'figures' | 'log' | 'notifications' | 'store'> &
  Pick<SessionPorts, 'sessionBox'> & { readonly alertOutbox: Pick<AlertOutbox, 'add'> }

/**
 * Raises and clears the alerts of all workspaces; run every two seconds, on every instance. One of them evaluates a workspace, and what it
 * has stored is published. A workspace that fails does not delay the others. Errors: STORE_UNAVAILABLE.
 */
export async function evaluateAlerts(
  ports: Evaluated &
    Pick<Ports, 'workspaces'> & {
      readonly breakers: Pick<Breakers, 'verdicts'>
      readonly servedWorkspaces: { readonly workspaces: readonly string[] }
    },
): Promise<void> {
  await noteFailing(ports)
  const waiting = ports.servedWorkspaces.workspaces.values()
  const evaluateNext = async (): Promise<void> => {
    for (const subdomain of waiting) await evaluateNamed(ports, subdomain)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, evaluateNext))
}

async function evaluateNamed(ports: Parameters<typeof evaluateAlerts>[0], subdomain: string): Promise<void> {
  const { alertFailures } = ports.figures
  try {
    const workspaceId = await ports.workspaces.idOf(subdomain)
    if (workspaceId !== null && (await evaluateWorkspace(ports, workspaceId))) alertFailures.delete(subdomain)
  } catch (error) {
    const reason = loggedReason(error)
    const isShown = error instanceof AppError && shownByHealth.has(error.reason)
    // Once for each cause, because the next run tries again.
    if (alertFailures.get(subdomain) !== reason) ports.log[isShown ? 'debug' : 'warn']({ subdomain, reason }, 'alert.not-evaluated')
    alertFailures.set(subdomain, reason)
  }
}

/**
 * Resolves to whether nothing is left to be published. Errors: STORE_UNAVAILABLE, NOT_CONFIGURED (a section cannot be read), OVERLOADED (a webhook
 * cannot be queued); the next run repeats what is missing.
 */
async function evaluateWorkspace(ports: Evaluated, workspaceId: string): Promise<boolean> {
  const section = await ports.configuration.read(workspaceId, 'alerts')
  const { value: state, version: former } = await alertStates.readStored(ports, workspaceId)
  const now = ports.clock.now()
  if (state && Math.abs(now - state.evaluatedAt) < freshMs) return unpublished(state).length === 0
  if (!hasThreshold(section) && !hasAlert(state)) return true
  const before = stateAt(state, now)
  const found = await findBreaches(ports, { workspaceId, section, now, watchedSince: before.watchedSince })
  const next = stateWith(before, found)
  const version = await alertStates.replace(ports, workspaceId, { value: next, version: former })
  if (version === null) return false
  await publishAll(ports, workspaceId, { state: next, version })
  if (found.failures.length > 0) throw found.failures[0]
  return true
}

function hasThreshold(section: AlertsSection): boolean {
  return Object.values(thresholdFields).some((field) => section[field] !== null)
}

function hasAlert(state: AlertState | null): boolean {
  return Object.values(state?.conditions ?? {}).some(({ alert }) => alert !== null)
}

type Stored = { readonly state: AlertState; readonly version: Version }

/** One that fails does not delay the others. */
async function publishAll(ports: Evaluated, workspaceId: string, { state, version }: Stored): Promise<void> {
  const published = new Set<string>()
  const failures: unknown[] = []
  for (const [key, alert] of unpublished(state)) {
    try {
      await publish(ports, workspaceId, alert)
      published.add(key)
    } catch (error) {
      failures.push(error)
    }
  }
  if (published.size > 0) await alertStates.replace(ports, workspaceId, { value: withPublished(state, published), version })
  if (failures.length > 0) throw failures[0]
}

/** Repeatable: the list of alerts and the outbox take each alert once. */
async function publish(ports: Evaluated, workspaceId: string, alert: AlertFacts): Promise<void> {
  const { isNew } = await storeAlert(ports, workspaceId, alert)
  const { id, kind, subject, value, threshold, clearedAt } = alert
  const facts = { workspaceId, alert: id, kind, subject: subject?.id ?? null }
  if (isNew) countAlert(ports.figures, kind, clearedAt === null ? 'raised' : 'cleared')
  if (isNew && clearedAt === null) ports.log.warn({ ...facts, value, threshold }, 'alert.raised')
  if (isNew && clearedAt !== null) ports.log.info(facts, 'alert.cleared')
  await ports.notifications.publish({ topic: alertTopic, workspaceId, payload: id })
  await ports.alertOutbox.add(workspaceId, alert)
}
