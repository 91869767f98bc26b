import { LRUCache } from 'lru-cache'
import type { HttpContext } from '../http/http-context.ts'
import type { EndpointFields } from './endpoint-fields.ts'
import type { Envelope } from './envelope.ts'
import type { MetadataNames } from './metadata-fields.ts'
import type { Plan, PlanRules } from './plan.ts'
import { createPlanCache, type PlanCache } from './plan-cache.ts'

export type Planned = Pick<Envelope, 'query' | 'operationName'>

/** Plans operations by the root fields that the endpoints of the platform have in the actor's workspace. */
export type OperationPlans = {
  /** A promise only if the operation names a field of the metadata endpoint and the workspace's root fields must be read first. */
  plan(ctx: HttpContext, operation: Planned): Plan | Promise<Plan>
  /** After the platform refused a root field. */
  planAgain(ctx: HttpContext, operation: Planned): Promise<Plan>
  /** Without a workspace: for the limits on documents. */
  planAlone(operation: Planned): Plan
}

/** Workspaces differ only in fields that both endpoints have, so nearly all share the plans of one cache. */
const maxCaches = 8

export function createOperationPlans(rules: Omit<PlanRules, 'metadata'>, fields: EndpointFields): OperationPlans {
  const caches = new LRUCache<MetadataNames, PlanCache>({ max: maxCaches })
  const cacheOf = (metadata: MetadataNames): PlanCache => {
    const cache = caches.get(metadata) ?? createPlanCache({ ...rules, metadata })
    caches.set(metadata, cache)
    return cache
  }
  const planBy = (names: MetadataNames, { query, operationName }: Planned): Plan => cacheOf(names).plan(query, operationName)
  // Found once, because most operations need no other.
  let common: { readonly names: MetadataNames; readonly cache: PlanCache } | null = null
  const planAlone = (operation: Planned): Plan => {
    const names = fields.assumed()
    if (common?.names !== names) common = { names, cache: cacheOf(names) }
    return common.cache.plan(operation.query, operation.operationName)
  }
  return {
    planAlone,
    plan(ctx, operation) {
      const plan = planAlone(operation)
      if (!('namesMetadata' in plan) || !plan.namesMetadata) return plan
      const names = fields.of(ctx)
      return names instanceof Promise ? names.then((read) => planBy(read, operation)) : planBy(names, operation)
    },
    planAgain: async (ctx, operation) => planBy(await fields.reread(ctx), operation),
  }
}
