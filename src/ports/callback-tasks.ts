import type { RecordAccess } from './record-access.ts'

/** Tasks on the platform, as scheduled callbacks need them. Errors of all methods: the platform's, NOT_CONFIGURED if the workspace has no tasks. */
export interface CallbackTasks {
  /**
   * Creates a task with this id, with the lead as target if there is one. A task or target that exists, also a deleted one, stays as it is:
   * then `created` is false. An assignee or a lead that is gone is left out. Repeatable.
   */
  create(access: RecordAccess, task: NewCallbackTask): Promise<{ readonly created: boolean }>
  /** Changes the given fields. Does nothing if there is no such task. Repeatable. */
  update(access: RecordAccess, id: string, values: CallbackTaskValues): Promise<void>
  /** Those of these tasks, at most 60, that exist and that the access may see. Reads only. DEADLINE_PASSED if `signal` aborts first. */
  byIds(access: RecordAccess, ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, CallbackTask>>
}

/** `dueAt`: ISO 8601. `assigneeId`: a member. */
export type CallbackTaskValues = {
  readonly status?: 'TODO' | 'DONE' | undefined
  readonly dueAt?: string | undefined
  readonly assigneeId?: string | null | undefined
}
export type NewCallbackTask = CallbackTaskValues & { readonly id: string; readonly title: string; readonly leadId: string | null }
export type CallbackTask = { readonly isDone: boolean; readonly dueAt: string | null; readonly assigneeId: string | null }
