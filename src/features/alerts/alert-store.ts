import { derivedId } from '../../kernel/ids.ts'
import type { Ports } from '../../ports/ports.ts'
import { changeJson, readJson, readManyJson } from '../calls/stored-json.ts'
import { alertSchema, type RaisedAlert } from './alert.ts'
import { type AlertState, alertStateSchema } from './alert-state.ts'

/** The alerts of a workspace, stored for 30 days. Errors of all functions: STORE_UNAVAILABLE. */

const ttlMs = 30 * 86_400_000
type AlertKey = { readonly workspaceId: string; readonly id: string }

/** The same for every instance, and for every try. `since`: when its condition was first seen. */
export function alertIdOf(workspaceId: string, key: string, since: number): string {
  return derivedId('alert', workspaceId, key, String(since))
}

export async function addAlert({ store }: Pick<Ports, 'store'>, workspaceId: string, alert: RaisedAlert): Promise<void> {
  const raisedAt = Date.parse(alert.raisedAt)
  await store.setIfAbsent(alertKey({ workspaceId, id: alert.id }), JSON.stringify(alert), { ttlMs })
  await store.sortedAdd(allList(workspaceId), alert.id, raisedAt)
  await store.sortedAdd(activeList(workspaceId), alert.id, raisedAt)
}

/** Null if it is not stored any more. */
export async function changeAlert(
  { store }: Pick<Ports, 'store'>,
  key: AlertKey,
  change: (alert: RaisedAlert) => RaisedAlert,
): Promise<RaisedAlert | null> {
  const known = await readAlert({ store }, key)
  if (!known) return null
  return (await changeJson(store, alertKey(key), { schema: alertSchema, ttlMs, next: (stored) => change(stored ?? known) })).after
}

/** Repeatable: it stays cleared as of the first time. */
export async function clearAlert({ store }: Pick<Ports, 'store'>, key: AlertKey, clearedAt: string): Promise<RaisedAlert | null> {
  const alert = await changeAlert({ store }, key, (known) => ({ ...known, clearedAt: known.clearedAt ?? clearedAt }))
  await store.sortedRemove(activeList(key.workspaceId), key.id)
  return alert
}

export function readAlert({ store }: Pick<Ports, 'store'>, key: AlertKey): Promise<RaisedAlert | null> {
  return readJson(store, alertKey(key), alertSchema)
}

/** In the order of the ids; null for one that is not stored any more. */
export function readAlerts({ store }: Pick<Ports, 'store'>, workspaceId: string, ids: readonly string[]) {
  const keys = ids.map((id) => alertKey({ workspaceId, id }))
  return readManyJson(store, keys, alertSchema)
}

/** The state, and the text that a write must find unchanged. */
export async function readAlertState({ store }: Pick<Ports, 'store'>, workspaceId: string) {
  const text = await store.get(stateKey(workspaceId))
  return { text, state: text === null ? null : alertStateSchema.parse(JSON.parse(text)) }
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
    expected === null ? await store.setIfAbsent(key, value, { ttlMs }) : await store.compareAndSet(key, { expected, value, ttlMs })
  return isWritten ? value : null
}

export const allList = (workspaceId: string): string => `alerts:${workspaceId}`
export const activeList = (workspaceId: string): string => `alerts-active:${workspaceId}`
const alertKey = ({ workspaceId, id }: AlertKey): string => `alert:${workspaceId}:${id}`
const stateKey = (workspaceId: string): string => `alert-state:${workspaceId}`
