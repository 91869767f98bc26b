import { nextSlice } from '../../kernel/loop-slices.ts'

/** Root fields of one request that run at once. */
const mostAtOnce = 4

type RootFields = { running: number; hasBegun: boolean; readonly waiting: (() => void)[] }
const fieldsOfRequests = new WeakMap<object, RootFields>()

/**
 * Runs a root field of a request. Each but the first waits until fewer run, then for a slice of the event loop before it runs, and for another slice before its value is
 * completed: so sixty aliases never run in one task, also if they wait for the same answer of a provider, and other requests go on meanwhile.
 */
export async function withinLimit<Value>(request: object, run: () => Promise<Value>): Promise<Value> {
  const fields = fieldsOf(request)
  const isFirst = !fields.hasBegun
  fields.hasBegun = true
  if (fields.running < mostAtOnce) fields.running += 1
  else await new Promise<void>((resolve) => void fields.waiting.push(resolve))
  try {
    if (!isFirst) await nextSlice()
    const value = await run()
    if (!isFirst) await nextSlice()
    return value
  } finally {
    leave(fields)
  }
}

function fieldsOf(request: object): RootFields {
  const known = fieldsOfRequests.get(request)
  if (known) return known
  const fields: RootFields = { running: 0, hasBegun: false, waiting: [] }
  fieldsOfRequests.set(request, fields)
  return fields
}

/** The next one has the place. */
function leave(fields: RootFields): void {
  const next = fields.waiting.shift()
  if (next) next()
  else fields.running -= 1
}
