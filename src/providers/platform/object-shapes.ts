import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import type { RecordGate } from './record-gate.ts'

/** A field as the workspace has it; `values` are the allowed ones of a choice. */
export type FieldShape = { readonly typeName: string; readonly isObject: boolean; readonly values: readonly string[] | null }
export type ObjectShape = ReadonlyMap<string, FieldShape>

/** The fields of a workspace's objects, introspected one type at a time with the token at hand, cached for a minute. */
export interface ObjectShapes {
  /** Null if the workspace has no such type. */
  of(access: RecordAccess, typeName: string): Promise<ObjectShape | null>
  /** Introspects the type again, because a field is unknown there; at most once in half a minute. */
  invalidate(workspaceId: string, typeName: string): void
  /** Introspects all types again, because the data model was changed. */
  invalidateAll(): void
}

const cachedForMs = 60_000
/** Somebody may be creating it. */
const missingForMs = 5_000
const invalidateAfterMs = 30_000

const document = `query ObjectShape($typeName: String!) {
  __type(name: $typeName) { fields { name type { ...Shape ofType { ...Shape ofType { ...Shape ofType { ...Shape } } } } } }
}
fragment Shape on __Type { kind name enumValues { name } }`

type TypeNode = {
  readonly kind: string
  readonly name: string | null
  readonly enumValues?: readonly { readonly name: string }[] | null | undefined
  readonly ofType?: TypeNode | null | undefined
}
const typeSchema: z.ZodType<TypeNode> = z.object({
  kind: z.string(),
  name: z.string().nullable(),
  enumValues: z.array(z.object({ name: z.string() })).nullish(),
  get ofType() {
    return typeSchema.nullish()
  },
})
const answerSchema = z.object({
  __type: z.object({ fields: z.array(z.object({ name: z.string(), type: typeSchema })).nullable() }).nullable(),
})

type Cached = { readonly shape: Promise<ObjectShape | null>; readonly readAt: number; forMs: number }

export function createObjectShapes(gate: RecordGate, clock: Clock): ObjectShapes {
  const cache = new LRUCache<string, Cached>({ max: 1_000 })

  const introspect = async (access: RecordAccess, typeName: string): Promise<ObjectShape | null> => {
    const { __type: type } = await gate({ access, document, variables: { typeName }, answer: answerSchema, cost: 0 })
    return type?.fields ? new Map(type.fields.map((field) => [field.name, shapeOf(field.type)])) : null
  }

  return {
    of(access, typeName) {
      const key = `${access.workspaceId}:${typeName}`
      const known = cache.get(key)
      if (known && clock.now() - known.readAt < known.forMs) return known.shape
      const shape = introspect(access, typeName)
      const entry: Cached = { shape, readAt: clock.now(), forMs: cachedForMs }
      cache.set(key, entry)
      shape.then(
        (found) => void (entry.forMs = found ? cachedForMs : missingForMs),
        () => cache.peek(key) === entry && cache.delete(key),
      )
      return shape
    },
    invalidate(workspaceId, typeName) {
      const key = `${workspaceId}:${typeName}`
      const known = cache.peek(key)
      if (known && clock.now() - known.readAt >= invalidateAfterMs) cache.delete(key)
    },
    invalidateAll: () => cache.clear(),
  }
}

function shapeOf(type: TypeNode): FieldShape {
  if (type.ofType) return shapeOf(type.ofType)
  return { typeName: type.name ?? '', isObject: type.kind === 'OBJECT', values: type.enumValues?.map(({ name }) => name) ?? null }
}
