import { deadlineSignal } from '../../kernel/deadlines.ts'
import { type Actor, auditActor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { DataModel } from '../../ports/data-model.ts'
import { createMissing } from './create-missing.ts'
import { type PlanItem, planProvisioning } from './provisioning-plan.ts'
import { requiredModel } from './required-model.ts'
import type { SetupPorts } from './setup-ports.ts'

export type ProvisioningItem = Pick<PlanItem, 'kind' | 'name' | 'state' | 'detail'>
export type Provisioning = { readonly applied: boolean; readonly complete: boolean; readonly items: readonly ProvisioningItem[] }
export type ProvisionRequest = { readonly apply: boolean; readonly signal: AbortSignal }

/** The platform takes up to three seconds to create an object and one second for a field; a request has 30 s. */
const maxCreationMs = 20_000

/**
 * Creates the objects, fields and roles that the workspace lacks, with the rights of the actor's token, for at most 20 s. Without `apply` it
 * only returns the plan. Errors: those of reading the data model. What cannot be created is an item that says why.
 */
export async function provision(
  { configuration, dataModel, audit, installedRoles }: Pick<SetupPorts, 'configuration' | 'dataModel' | 'audit' | 'installedRoles'>,
  actor: Actor,
  { apply, signal }: ProvisionRequest,
): Promise<Provisioning> {
  const { workspaceId } = actor.principal
  const { accessToken } = actor
  const required = requiredModel(await configuration.read(workspaceId, 'platform'), installedRoles)
  const [objects, roles] = await Promise.all([dataModel.objects(accessToken), visibleRoles(dataModel, accessToken)])
  const plan = planProvisioning(required, { objects, roles })
  const until = AbortSignal.any([signal, deadlineSignal(maxCreationMs)])
  const items = apply ? await createMissing(dataModel, plan, { accessToken, objects, until }) : plan
  const created = items.filter(({ state }) => state === 'CREATED').map(({ name }) => name)
  if (created.length > 0) {
    const details = { made: created.join(', ') }
    await audit.record(workspaceId, { actor: auditActor(actor), action: 'platform.provisioned', target: null, details })
  }
  return { applied: apply, complete: items.every(({ state }) => state !== 'MISSING'), items: items.map(withoutModel) }
}

function withoutModel({ kind, name, state, detail }: PlanItem): ProvisioningItem {
  return { kind, name, state, detail }
}

/** Null if the token's role may not see them. */
async function visibleRoles(dataModel: DataModel, accessToken: string): Promise<readonly string[] | null> {
  try {
    return await dataModel.roles(accessToken)
  } catch (error) {
    if (error instanceof AppError && error.reason === 'PLATFORM_REFUSED') return null
    throw error
  }
}
