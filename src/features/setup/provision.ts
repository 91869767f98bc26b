import type { Actor } from '../../access/actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import { carryOutPlan } from './carry-out-plan.ts'
import type { DataModel } from '../../ports/data-model.ts'
import { type PlanItem, planProvisioning } from './provisioning-plan.ts'
import { requiredModel } from './required-model.ts'

export type ProvisioningItem = Pick<PlanItem, 'kind' | 'name' | 'state' | 'detail'>
export type Provisioning = { readonly applied: boolean; readonly complete: boolean; readonly items: readonly ProvisioningItem[] }

/**
 * Makes what the workspace lacks, with the rights of the token, for 20 s at most; without `apply` it only looks. Errors: those of reading
 * the data model; what cannot be made is an item that says why.
 */
export type Provision = (caller: Actor, request: ProvisionRequest) => Promise<Provisioning>
export type ProvisionRequest = { readonly apply: boolean; readonly signal: AbortSignal }

export type ProvisionOptions = { readonly configuration: Configuration; readonly model: DataModel; readonly audit: Audit }

/** The platform takes up to three seconds to make an object and one for a field; a request has 30 s. */
const longestMs = 20_000

export function createProvision({ configuration, model, audit }: ProvisionOptions): Provision {
  return async ({ principal, accessToken }, { apply, signal }) => {
    const { workspaceId, userId, memberId } = principal
    const required = requiredModel(await configuration.read(workspaceId, 'platform'))
    const [objects, roles] = await Promise.all([model.objects(accessToken), visibleRoles(model, accessToken)])
    const plan = planProvisioning(required, { objects, roles })
    const until = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    const items = apply ? await carryOutPlan(plan, { model, accessToken, objects, until }) : plan
    const made = items.filter(({ state }) => state === 'CREATED').map(({ name }) => name)
    if (made.length > 0) {
      const actor = { userId, memberId, ip: null }
      await audit.record(workspaceId, { actor, action: 'platform.provisioned', target: null, details: { made: made.join(', ') } })
    }
    return { applied: apply, complete: items.every(({ state }) => state !== 'MISSING'), items: items.map(shown) }
  }
}

function shown({ kind, name, state, detail }: PlanItem): ProvisioningItem {
  return { kind, name, state, detail }
}

/** Null where the token's role may not see them. */
async function visibleRoles(model: DataModel, accessToken: string): Promise<readonly string[] | null> {
  try {
    return await model.roles(accessToken)
  } catch (error) {
    if (error instanceof AppError && error.reason === 'PLATFORM_REFUSED') return null
    throw error
  }
}
