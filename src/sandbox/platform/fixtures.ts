import type { GraphQLSchema } from 'graphql'
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Clock, isoMoment } from '../clock.ts'
import { newId } from '../ids.ts'
import { addCallCenterObjects } from './call-center-objects.ts'
import { internalError } from './errors.ts'
import { buildRecordSchema } from './record-schema.ts'
import { type RecordOperation, recordOperations } from './record-operations.ts'
import { type Actor, openRecords, type Records } from './records.ts'
import { addCallCenterRoles, addDefaultRoles } from './roles.ts'
import { addStandardObjects } from './standard-objects.ts'
import { openState, type PlatformState, type Workspace } from './state.ts'
import type { DocumentStorage } from './storage.ts'
import { recordActivity } from './timeline.ts'
import { openTokens, type Tokens } from './tokens.ts'
import type { UploadedFile } from './uploads.ts'
import { deliverWebhooks } from './webhooks.ts'
import { openWorkspaceModel, type Version, versions, type WorkspaceModel } from './workspace-model.ts'

/** A workspace with its data model and its records. */
export type LiveWorkspace = {
  readonly id: string
  readonly row: () => Workspace
  readonly model: WorkspaceModel
  readonly records: Records
  /** The root fields of its record schema; made again when the data model changes. */
  readonly operations: () => ReadonlyMap<string, RecordOperation>
  /** Of its records; made again when the data model changes. */
  readonly schema: () => GraphQLSchema
  /** Writes the timeline of what has just happened, which else comes a moment later. */
  readonly settle: () => void
}

/** The whole state of the stand-in. */
export type World = {
  readonly clock: Clock
  readonly version: Version
  readonly state: PlatformState
  readonly tokens: Tokens
  /** What was uploaded, by its address: the last of it, in memory. */
  readonly files: LRUCache<string, UploadedFile>
  workspace(id: string): LiveWorkspace | undefined
  workspaceBySubdomain(subdomain: string): LiveWorkspace | undefined
  addWorkspace(subdomain: string, options: { displayName: string; isCallCenter: boolean }): LiveWorkspace
  /** The address of a workspace's frontend, with a closing slash. */
  frontendOf(workspace: Workspace): string
  close(): void
}

const maxFileBytes = 64 * 1_048_576

export const systemActor: Actor = { source: 'SYSTEM', name: 'System', workspaceMemberId: null, context: {} }

export async function openWorld({
  clock,
  storage,
  frontendUrl,
  version,
}: {
  readonly clock: Clock
  readonly storage: DocumentStorage
  readonly frontendUrl: (subdomain: string) => string
  /** The version of a new state. A stored state keeps the version that it was created with. */
  readonly version: Version
}): Promise<World> {
  const state = openState(storage)
  const live = new Map<string, LiveWorkspace>()
  const stopping = new AbortController()
  const keptVersion = versions.find((known) => known === state.texts.get('version')) ?? version
  state.texts.set('version', keptVersion)

  const world: World = {
    clock,
    version: keptVersion,
    state,
    tokens: await openTokens(state.texts, clock, keptVersion),
    files: new LRUCache({ maxSize: maxFileBytes, sizeCalculation: ({ bytes }) => bytes.length + 1 }),
    workspace: (id) => live.get(id),
    workspaceBySubdomain: (subdomain) => [...live.values()].find((workspace) => workspace.row().subdomain === subdomain),
    addWorkspace(subdomain, { displayName, isCallCenter }) {
      const id = newId()
      state.workspaces.set(id, {
        id,
        subdomain,
        displayName,
        defaultRoleId: addDefaultRoles(state.roles, id),
        inviteHash: `${subdomain}-${randomBytes(9).toString('base64url')}`,
        isPublicInviteLinkEnabled: true,
        createdAt: isoMoment(clock.now()),
      })
      const workspace = open(id)
      addStandardObjects(workspace.model)
      if (isCallCenter) {
        addCallCenterObjects(workspace.model)
        addCallCenterRoles(state.roles, id)
      }
      return workspace
    },
    frontendOf: (workspace) => `${frontendUrl(workspace.subdomain)}/`,
    close: () => stopping.abort(),
  }
  const open = (id: string): LiveWorkspace => {
    const workspace = openWorkspace({ world, storage, id, stop: stopping.signal })
    live.set(id, workspace)
    return workspace
  }
  for (const { id } of state.workspaces.values()) open(id)
  return world
}

type Opening = { readonly world: World; readonly storage: DocumentStorage; readonly id: string; readonly stop: AbortSignal }

function openWorkspace({ world, storage, id, stop }: Opening): LiveWorkspace {
  const model = openWorkspaceModel(storage, { workspaceId: id, version: world.version })
  const moment = (): string => isoMoment(world.clock.now())
  const records = openRecords({ storage, model, workspaceId: id, version: world.version, moment })
  const timeline = recordActivity({ model, records, moment })
  stop.addEventListener('abort', timeline.stop)
  const workspace: LiveWorkspace = {
    id,
    row() {
      const row = world.state.workspaces.get(id)
      if (!row) throw internalError('Workspace is gone')
      return row
    },
    model,
    records,
    operations: perVersion(model, () => recordOperations({ model, records, version: world.version })),
    schema: perVersion(model, () => buildRecordSchema(model)),
    settle: timeline.flush,
  }
  deliverWebhooks({ clock: world.clock, webhooks: world.state.webhooks, workspaceId: id, model, records, stop })
  return workspace
}

/** What is made of a data model, and made again when the model has changed. */
function perVersion<Made>(model: WorkspaceModel, make: () => Made): () => Made {
  let last: { version: number; made: Made } | null = null
  return () => (last?.version === model.version ? last : (last = { version: model.version, made: make() })).made
}
