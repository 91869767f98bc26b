import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import { changeJson, type JsonChange, readJson, readManyJson } from '../calls/stored-json.ts'
import { type AlertFacts, alertSchema, type RaisedAlert } from './alert.ts'
import { type AlertState, alertStateSchema } from './alert-state.ts'

/** The alerts of a workspace. Errors of all functions: STORE_UNAVAILABLE. */

const dayMs = 86_400_000
const stateTtlMs = 30 * dayMs
/** One that is over is stored for 30 days more. */
const ttlMs = ({ clearedAt }: RaisedAlert): number => (clearedAt === null ? 365 : 30) * dayMs
type AlertChange = {
  readonly change: (alert: RaisedAlert) => RaisedAlert
  /** The audit entry, which is stored in the step of the change. */
  readonly audit: NonNullable<JsonChange<RaisedAlert>['add']>
}
type AlertKey = { readonly workspaceId: string; readonly id: string }

/** Adds the alert, or clears it. Repeatable, and in any order: it stays cleared, and acknowledged. `isNew`: nobody had done the same before. */
export async function storeAlert(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  facts: AlertFacts,
): Promise<{ readonly isNew: boolean }> {
  const next = (known: RaisedAlert | null): RaisedAlert => ({
    ...(known ?? { acknowledgedAt: null, acknowledgedBy: null }),
    ...facts,
    clearedAt: known?.clearedAt ?? facts.clearedAt,
  })
  const { before, after } = await changeJson(store, alertKey({ workspaceId, id: facts.id }), { schema: alertSchema, ttlMs, next })
  if (facts.clearedAt === null) await store.sortedAdd(allList(workspaceId), facts.id, Date.parse(facts.raisedAt))
  return { isNew: before === null || before.clearedAt !== after.clearedAt }
}

/** Errors: NOT_FOUND (it is not stored any more). */
export function changeAlert(
  { store }: Pick<Ports, 'store'>,
  key: AlertKey,
  { change, audit }: AlertChange,
): Promise<{ readonly before: RaisedAlert | null; readonly after: RaisedAlert }> {
  const next = (known: RaisedAlert | null): RaisedAlert => {
    if (known) return change(known)
    throw new AppError('NOT_FOUND', { detail: 'There is no such alert' })
  }
  return changeJson(store, alertKey(key), { schema: alertSchema, ttlMs, next, add: audit })
}

export function readAlert({ store }: Pick<Ports, 'store'>, key: AlertKey): Promise<RaisedAlert | null> {
  return readJson(store, alertKey(key), alertSchema)
}

/** In the order of the ids; null for one that is not stored any more. */
export function readAlerts({ store }: Pick<Ports, 'store'>, workspaceId: string, ids: readonly string[]) {
  const keys = ids.map((id) => alertKey({ workspaceId, id }))
  return readManyJson(store, keys, alertSchema)
}

/** Those that are not over, in no order. */
export async function readActiveAlerts(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<readonly RaisedAlert[]> {
  const { state } = await readAlertState(ports, workspaceId)
  const ids = Object.values(state?.conditions ?? {}).flatMap(({ alert }) => alert?.id ?? [])
  const alerts = await readAlerts(ports, workspaceId, ids)
  return alerts.flatMap((alert) => (alert?.clearedAt === null ? [alert] : []))
}

/** The state, and the text that a write must find unchanged. A state of another version of this service counts as none. */
export async function readAlertState({ store }: Pick<Ports, 'store'>, workspaceId: string) {
  const text = await store.get(stateKey(workspaceId))
  return {
    text,
    state: alertStateSchema
      .nullable()
      .catch(null)
      .parse(JSON.parse(text ?? 'null')),
  }
}

/** Returns the written text; null if another instance has written meanwhile. */
export async function writeAlertState(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  { expected, state }: { readonly expected: string | null; readonly state: AlertState },
): Promise<string | null> {
  const value = JSON.stringify(state)
  const key = stateKey(workspaceId)
  const isWritten =
    expected === null
      ? await store.setIfAbsent(key, value, { ttlMs: stateTtlMs })
      : await store.compareAndSet(key, { expected, value, ttlMs: stateTtlMs })
  return isWritten ? value : null
}

export const allList = (workspaceId: string): string => `alerts:${workspaceId}`
const alertKey = ({ workspaceId, id }: AlertKey): string => `alert:${workspaceId}:${id}`
const stateKey = (workspaceId: string): string => `alert-state:${workspaceId}`
