import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Failure } from './failure.ts'
import { asText } from './json.ts'

type Visitor = { readonly name: string; readonly phone: string }
type VisitFieldsProps = { readonly failure: Failure | null; readonly isBusy: boolean; readonly onConfirm: (visitor: Visitor) => void }

/** Name and phone. What is wrong is said at the field, and the focus goes to the first such one. */
export function VisitFields({ failure, isBusy, onConfirm }: VisitFieldsProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Partial<Visitor>>({})
  useEffect(() => setFaults(faultsOf(failure)), [failure])
  useLayoutEffect(() => {
    const first = form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')
    first?.focus()
  }, [faults])

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isBusy || !form.current) return
    const given = new FormData(form.current)
    const visitor = { name: asText(given.get('name')).trim(), phone: asText(given.get('phone')).trim() }
    const found = missing(visitor)
    setFaults(found)
    if (Object.keys(found).length === 0) onConfirm(visitor)
  }

  return (
    <form ref={form} class="fields" onSubmit={submit} noValidate>
      <Field name="name" label="Your name" fault={faults.name} autoComplete="name" />
      <Field name="phone" label="Your phone number" fault={faults.phone} autoComplete="tel" />
      <p class="aside">We use these to book your visit and to reach you about it.</p>
      <button type="submit" class="filled" aria-disabled={isBusy}>
        {isBusy ? 'Booking …' : 'Confirm visit'}
      </button>
    </form>
  )
}

type FieldProps = {
  readonly name: 'name' | 'phone'
  readonly label: string
  readonly autoComplete: 'name' | 'tel'
  readonly fault: string | undefined
}

function Field({ name, label, autoComplete, fault }: FieldProps): JSX.Element {
  const faultId = `${name}-fault`
  return (
    <div class="input">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        inputMode={name === 'phone' ? 'tel' : 'text'}
        autoComplete={autoComplete}
        maxLength={name === 'name' ? 120 : 32}
        required
        dir={name === 'phone' ? 'ltr' : 'auto'}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : faultId}
      />
      {fault !== undefined && (
        <p id={faultId} class="fault">
          {fault}
        </p>
      )}
    </div>
  )
}

function missing({ name, phone }: Visitor): Partial<Visitor> {
  return {
    ...(name === '' ? { name: 'Please tell us your name.' } : {}),
    ...(phone.replaceAll(/\D/g, '').length < 6 ? { phone: 'Please give us a phone number where we can reach you.' } : {}),
  }
}

function faultsOf(failure: Failure | null): Partial<Visitor> {
  const named = (name: string): boolean => failure?.fields.some(({ path }) => path.split('.').at(-1) === name) ?? false
  return {
    ...(named('name') ? { name: 'Please check your name.' } : {}),
    ...(named('phone') ? { phone: 'Please check this number. Begin with + and the country code if you are abroad.' } : {}),
  }
}
