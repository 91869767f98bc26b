import { randomBytes } from 'node:crypto'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { addCallCenterObjects } from './call-center-objects.ts'
import { internalError } from './errors.ts'
import { type RecordOperation, recordOperations } from './record-operations.ts'
import { type Actor, openRecords, type Records } from './records.ts'
import { addDefaultRoles } from './roles.ts'
import { addStandardObjects } from './standard-objects.ts'
import { openState, type PlatformState, type Workspace } from './state.ts'
import type { DocumentStorage } from './storage.ts'
import { recordActivity } from './timeline.ts'
import { openTokens, type Tokens } from './tokens.ts'
import { openWorkspaceModel, type WorkspaceModel } from './workspace-model.ts'

export type Version = '2.21' | '1.3'

/** A workspace with its data model and its records. */
export type LiveWorkspace = {
  readonly id: string
  readonly row: () => Workspace
  readonly model: WorkspaceModel
  readonly records: Records
  /** The root fields of its record schema; made again when the data model changes. */
  readonly operations: () => ReadonlyMap<string, RecordOperation>
}

/** All that the stand-in knows. */
export type World = {
  readonly clock: Clock
  readonly state: PlatformState
  readonly tokens: Tokens
  version: Version
  workspace(id: string): LiveWorkspace | undefined
  workspaceBySubdomain(subdomain: string): LiveWorkspace | undefined
  addWorkspace(subdomain: string, options: { displayName: string; isCallCenter: boolean }): LiveWorkspace
  /** The address of a workspace's frontend, with a closing slash. */
  frontendOf(workspace: Workspace): string
  close(): void
}

export const systemActor: Actor = { source: 'SYSTEM', name: 'System', workspaceMemberId: null, context: {} }

export type WorldOptions = { readonly clock: Clock; readonly storage: DocumentStorage; readonly frontendUrl: (subdomain: string) => string }

export async function openWorld({ clock, storage, frontendUrl }: WorldOptions): Promise<World> {
  const state = openState(storage)
  const live = new Map<string, LiveWorkspace>()
  const stops: (() => void)[] = []

  const open = (id: string): LiveWorkspace => {
    const model = openWorkspaceModel(storage, id)
    const records = openRecords({ storage, model, workspaceId: id, moment: () => isoMoment(clock.now()) })
    const timeline = recordActivity({ model, records, clock })
    stops.push(timeline.stop)
    let made: { version: number; operations: ReadonlyMap<string, RecordOperation> } | null = null
    const workspace: LiveWorkspace = {
      id,
      row() {
        const row = state.workspaces.get(id)
        if (!row) throw internalError('workspace is gone')
        return row
      },
      model,
      records,
      operations() {
        if (made?.version !== model.version) {
          made = { version: model.version, operations: recordOperations(model, records, () => world.version === '1.3') }
        }
        return made.operations
      },
    }
    live.set(id, workspace)
    return workspace
  }

  const world: World = {
    clock,
    state,
    tokens: await openTokens(state.texts, clock),
    version: '2.21',
    workspace: (id) => live.get(id),
    workspaceBySubdomain: (subdomain) => [...live.values()].find((workspace) => workspace.row().subdomain === subdomain),
    addWorkspace(subdomain, { displayName, isCallCenter }) {
      const id = newId()
      const defaultRoleId = addDefaultRoles(state.roles, id)
      state.workspaces.set(id, {
        id,
        subdomain,
        displayName,
        defaultRoleId,
        inviteHash: `${subdomain}-${randomBytes(9).toString('base64url')}`,
        isPublicInviteLinkEnabled: true,
        createdAt: isoMoment(clock.now()),
      })
      const workspace = open(id)
      addStandardObjects(workspace.model)
      if (isCallCenter) addCallCenterObjects(workspace.model)
      return workspace
    },
    frontendOf: (workspace) => `${frontendUrl(workspace.subdomain)}/`,
    close() {
      for (const stop of stops) stop()
    },
  }
  for (const { id } of state.workspaces.values()) open(id)
  return world
}
