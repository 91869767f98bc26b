import { LRUCache } from 'lru-cache'
import { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import type { EndpointFields } from './endpoint-fields.ts'
import type { Envelope } from './envelope.ts'
import type { MetadataNames } from './metadata-fields.ts'
import { normalForm } from './normal-form.ts'
import type { Plan, PlanRules } from './plan.ts'
import { createPlanCache, type PlanCache } from './plan-cache.ts'

/** `envelope`: the operation as it was sent, or the form in which it is executed or forwarded. */
export type Planned = { readonly plan: Plan; readonly envelope: Envelope }

/** Plans operations by the root fields that the endpoints of the platform have in the actor's workspace. */
export type OperationPlans = {
  /** A promise only if the operation names a field of the metadata endpoint and the workspace's root fields must be read first. */
  plan(ctx: HttpContext, sent: Envelope): Planned | Promise<Planned>
  /** After the platform refused a root field. */
  planAgain(ctx: HttpContext, sent: Envelope): Promise<Planned>
  /** Without a workspace: for the limits on documents. */
  planAlone(sent: Envelope): Planned
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
  const planBy = (names: MetadataNames, sent: Envelope): Planned => planIn(cacheOf(names), sent)
  // Found once, because most operations need no other.
  let common: { readonly names: MetadataNames; readonly cache: PlanCache } | null = null
  const planAlone = (sent: Envelope): Planned => {
    const names = fields.assumed()
    if (common?.names !== names) common = { names, cache: cacheOf(names) }
    return planIn(common.cache, sent)
  }
  return {
    planAlone,
    plan(ctx, sent) {
      const planned = planAlone(sent)
      if (!('namesMetadata' in planned.plan) || !planned.plan.namesMetadata) return planned
      const names = fields.of(ctx)
      return names instanceof Promise ? names.then((read) => planBy(read, sent)) : planBy(names, sent)
    },
    planAgain: async (ctx, sent) => planBy(await fields.reread(ctx), sent),
  }
}

function planIn(cache: PlanCache, sent: Envelope): Planned {
  const plan = cache.plan(sent.query, sent.operationName)
  if (!('written' in plan) || !plan.written) return { plan, envelope: withInstead(sent, plan) }
  try {
    const envelope = { ...sent, ...normalForm(plan.written, sent.variables) }
    const planned = envelope.query === sent.query ? plan : cache.plan(envelope.query, envelope.operationName)
    return { plan: planned, envelope: withInstead(envelope, planned) }
  } catch (error) {
    if (error instanceof AppError) return { plan: { kind: 'refused', error }, envelope: sent }
    throw error
  }
}

function withInstead(envelope: Envelope, plan: Plan): Envelope {
  if (!('instead' in plan) || !plan.instead) return envelope
  const { source, variables: used } = plan.instead
  const variables = Object.fromEntries(Object.entries(envelope.variables ?? {}).filter(([name]) => used.has(name)))
  return { ...envelope, query: source, variables }
}
