import type { Caller } from '../auth/request.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { Audit } from '../kernel/audit.ts'
import { AppError } from '../kernel/errors.ts'
import { carryOutPlan } from './carry-out-plan.ts'
import type { DataModel } from './data-model.ts'
import { type PlanItem, planProvisioning } from './provisioning-plan.ts'
import { requiredModel } from './required-model.ts'

export type ProvisioningItem = Pick<PlanItem, 'kind' | 'name' | 'state' | 'detail'>
export type Provisioning = { readonly applied: boolean; readonly items: readonly ProvisioningItem[] }

/**
 * Makes what the workspace lacks, with the rights of the token; without `apply` it only looks. Errors: those of reading the data model;
 * what cannot be made is an item that says why.
 */
export type Provision = (caller: Caller, request: ProvisionRequest) => Promise<Provisioning>
export type ProvisionRequest = { readonly apply: boolean; readonly signal: AbortSignal }

export type ProvisionOptions = { readonly configuration: Configuration; readonly model: DataModel; readonly audit: Audit }

export function createProvision({ configuration, model, audit }: ProvisionOptions): Provision {
  return async ({ principal, accessToken }, { apply, signal }) => {
    const { workspaceId, userId, memberId } = principal
    const items = await provisionWorkspace({
      model,
      accessToken,
      platform: await configuration.read(workspaceId, 'platform'),
      apply,
      signal,
    })
    const made = items.filter(({ state }) => state === 'CREATED')
    if (made.length > 0) {
      await audit.record(workspaceId, {
        actor: { userId, memberId, ip: null },
        action: 'platform.provisioned',
        target: null,
        details: { made: made.map(({ name }) => name).join(', ') },
      })
    }
    return { applied: apply, items }
  }
}

export type WorkspaceToProvision = ProvisionRequest & {
  readonly model: DataModel
  readonly accessToken: string
  readonly platform: Parameters<typeof requiredModel>[0]
}

export async function provisionWorkspace({
  model,
  accessToken,
  platform,
  apply,
  signal,
}: WorkspaceToProvision): Promise<readonly ProvisioningItem[]> {
  const [objects, roles] = await Promise.all([model.objects(accessToken), visibleRoles(model, accessToken)])
  const plan = planProvisioning(requiredModel(platform), { objects, roles })
  const items = apply ? await carryOutPlan(plan, { model, accessToken, objects, signal }) : plan
  return items.map(({ kind, name, state, detail }) => ({ kind, name, state, detail }))
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
