import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import { type Change, Family } from '../../ports/stored/family.ts'
import { SortedList } from '../../ports/stored/sorted-list.ts'
import { type AlertFacts, alertSchema, type RaisedAlert } from './alert.ts'
import { alertStateSchema } from './alert-state.ts'

/** The alerts of a workspace. Errors of all functions: STORE_UNAVAILABLE. */

const dayMs = 86_400_000
/** One that is over is stored for 30 days more. */
const lifetime = ({ clearedAt }: RaisedAlert): number => (clearedAt === null ? 365 : 30) * dayMs
type AlertChange = {
  readonly change: (alert: RaisedAlert) => RaisedAlert
  /** The audit entry, which is stored in the step of the change. */
  readonly audit: NonNullable<Change<RaisedAlert, RaisedAlert>['add']>
}
type AlertKey = { readonly workspaceId: string; readonly id: string }

export const storedAlerts = new Family({
  name: 'alert',
  key: ({ workspaceId, id }: AlertKey) => [workspaceId, id],
  schema: alertSchema,
  lifetime: 365 * dayMs,
  about: 'agent',
  what: 'an alert: kind, agent, when it was raised, acknowledged and cleared; until 30 days after its end',
})

export const alertStates = new Family({
  name: 'alert-state',
  key: (workspaceId: string) => [workspaceId],
  schema: alertStateSchema,
  unreadable: 'ABSENT',
  lifetime: 30 * dayMs,
  about: 'agent',
  what: 'which thresholds are reached, and since when; the alerts that are not over: kind, agent',
})

export const alertsByTime = new SortedList({
  name: 'alerts',
  key: (workspaceId: string) => [workspaceId],
  lifetime: 30 * dayMs,
  about: 'nothing',
  what: 'alerts by time',
})

/** Adds the alert, or clears it. Repeatable, and in any order: it stays cleared, and acknowledged. `isNew`: nobody had done the same before. */
export async function storeAlert(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  facts: AlertFacts,
): Promise<{ readonly isNew: boolean }> {
  const next = (known: RaisedAlert | null): RaisedAlert => ({
    ...(known ?? { acknowledgedAt: null, acknowledgedBy: null }),
    ...facts,
    clearedAt: known?.clearedAt ?? facts.clearedAt,
  })
  const { before, after } = await storedAlerts.change(ports, { workspaceId, id: facts.id }, { lifetime, next })
  if (facts.clearedAt === null) await alertsByTime.add(ports, workspaceId, { member: facts.id, score: Date.parse(facts.raisedAt) })
  return { isNew: before === null || before.clearedAt !== after.clearedAt }
}

/** Errors: NOT_FOUND (it is not stored any more). */
export function changeAlert(
  ports: Pick<Ports, 'store'>,
  key: AlertKey,
  { change, audit }: AlertChange,
): Promise<{ readonly before: RaisedAlert | null; readonly after: RaisedAlert }> {
  const next = (known: RaisedAlert | null): RaisedAlert => {
    if (known) return change(known)
    throw new AppError('NOT_FOUND', { detail: 'There is no such alert' })
  }
  return storedAlerts.change(ports, key, { lifetime, next, add: audit })
}

export function readAlert(ports: Pick<Ports, 'store'>, key: AlertKey): Promise<RaisedAlert | null> {
  return storedAlerts.read(ports, key)
}

/** In the order of the ids; null for one that is not stored any more. */
export function readAlerts(ports: Pick<Ports, 'store'>, workspaceId: string, ids: readonly string[]) {
  return storedAlerts.readMany(
    ports,
    ids.map((id) => ({ workspaceId, id })),
  )
}

/** Those that are not over, in no order. */
export async function readActiveAlerts(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<readonly RaisedAlert[]> {
  const state = await alertStates.read(ports, workspaceId)
  const ids = Object.values(state?.conditions ?? {}).flatMap(({ alert }) => alert?.id ?? [])
  const alerts = await readAlerts(ports, workspaceId, ids)
  return alerts.flatMap((alert) => (alert?.clearedAt === null ? [alert] : []))
}
