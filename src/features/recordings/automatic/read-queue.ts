import type { Ports } from '../../../ports/ports.ts'
import { countWaiting, maxWaiting, workspacesWithRecordings } from './waiting-recordings.ts'

/** Recordings that wait to be analysed without a click, over all workspaces. */
export type RecordingQueue = {
  readonly waiting: number
  /** Failed before, and wait for their next try. */
  readonly later: number
  /** True if a workspace has as many as it may: its oldest recordings are given up. */
  readonly isFull: boolean
}

/** More workspaces than one service has, so that the count has an end. */
const maxWorkspaces = 100

/** Errors: STORE_UNAVAILABLE. */
export async function readRecordingQueue(ports: Pick<Ports, 'store' | 'clock'>): Promise<RecordingQueue> {
  const workspaces = (await workspacesWithRecordings(ports)).slice(0, maxWorkspaces)
  const counts = await Promise.all(workspaces.map((workspaceId) => countWaiting(ports, workspaceId)))
  return {
    waiting: counts.reduce((sum, { waiting }) => sum + waiting, 0),
    later: counts.reduce((sum, { later }) => sum + later, 0),
    isFull: counts.some(({ waiting }) => waiting >= maxWaiting),
  }
}
