import { LRUCache } from 'lru-cache'
import type { ModelVendor } from './vendors.ts'

/** How a model is held to a form: by its schema, to JSON, or only by the instructions. */
export type FormKind = 'schema' | 'json' | 'text'

/** What a model has shown of its server. */
export type ModelHabit = {
  /** The strictest that the server has taken lately. */
  readonly form: () => FormKind
  readonly noteForm: (kind: FormKind) => void
  /** Its answers do not begin with thoughts whose opening tag the server wrote itself. */
  isPlain: boolean
}

export type ModelHabits = (vendor: ModelVendor, url: string, model: string) => ModelHabit

/** A server may learn a form with an update. */
const formForMs = 3_600_000
const maxModels = 1_000

/** Remembers what models have shown, so that it costs a request only once. `now`: milliseconds that only grow. */
export function createModelHabits(now: () => number = () => performance.now()): ModelHabits {
  const habits = new LRUCache<string, ModelHabit>({ max: maxModels })
  return (vendor, url, model) => {
    const key = JSON.stringify([vendor.id, url, model])
    const known = habits.get(key)
    if (known) return known
    const habit = newHabit(now, !vendor.mayBeginThoughts)
    habits.set(key, habit)
    return habit
  }
}

function newHabit(now: () => number, isPlain: boolean): ModelHabit {
  let noted: { readonly kind: FormKind; readonly until: number } | null = null
  return {
    isPlain,
    form: () => (noted && now() < noted.until ? noted.kind : 'schema'),
    noteForm(kind) {
      if (kind !== this.form()) noted = { kind, until: now() + formForMs }
    },
  }
}
