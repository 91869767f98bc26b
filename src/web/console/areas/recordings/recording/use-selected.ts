import { useSyncExternalStore } from 'react'
import type { Readable } from '../../../state/store.ts'

/** A part of a value that changes often: the component is drawn again only when the part changes. */
export function useSelected<Value, Part>({ subscribe, get }: Readable<Value>, select: (value: Value) => Part): Part {
  return useSyncExternalStore(subscribe, () => select(get()))
}
