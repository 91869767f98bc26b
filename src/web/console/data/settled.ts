import { useEffect, useState } from 'react'

const settleMs = 250

/** A value once it has not changed for a moment: for a list that is searched while somebody types. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
