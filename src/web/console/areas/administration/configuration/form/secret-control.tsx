import { useId, type ReactNode } from 'react'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { useForm } from './form-context.ts'
import { useFormTexts } from './form-texts.ts'
import type { TextField } from './schema.ts'
import type { ControlProps } from './text-controls.tsx'
import { masked, textOf, valueAt } from './values.ts'

/**
 * A secret, which the page never has: it is set or not, and can be left as it is, replaced or removed. The fingerprint lets people see whether
 * two are the same.
 */
export function SecretControl({ field, path }: ControlProps<TextField>) {
  const { draft, base, set } = useForm()
  const texts = useFormTexts()
  const [value, stored] = [valueAt(draft, path), valueAt(base, path)]
  const isStored = stored === masked
  if (isStored && value === masked) return <StoredSecret field={field} path={path} />
  if (isStored && value === null) {
    return (
      <SecretState
        field={field}
        path={path}
        actions={
          <Button size="s" onPress={() => set(path, masked)}>
            {texts.keep}
          </Button>
        }
      >
        <Badge tone="warn">{texts.willBeRemoved}</Badge>
      </SecretState>
    )
  }
  return <NewSecret field={field} path={path} isStored={isStored} />
}

function StoredSecret({ field, path }: ControlProps<TextField>) {
  const { fingerprints, set } = useForm()
  const texts = useFormTexts()
  const print = fingerprints[path.join('.')]
  const actions = (
    <>
      <Button size="s" onPress={() => set(path, '')}>
        {texts.replace}
      </Button>
      {field.isNullable && (
        <Button size="s" look="quiet" onPress={() => set(path, null)}>
          {texts.remove}
        </Button>
      )}
    </>
  )
  return (
    <SecretState field={field} path={path} actions={actions}>
      <Badge tone="good" hasDot>
        {texts.isSet}
      </Badge>
      {typeof print === 'string' && <span className="config-print">{texts.fingerprint(print)}</span>}
    </SecretState>
  )
}

function SecretState({
  field,
  path,
  actions,
  children,
}: ControlProps<TextField> & { readonly actions: ReactNode; readonly children: ReactNode }) {
  const { names, errorAt } = useForm()
  const id = useId()
  const error = errorAt(path)
  return (
    <div className="ui-field" role="group" aria-labelledby={id}>
      <span className="ui-label" id={id}>
        {names.label(path)}
      </span>
      <div className="config-secret">
        <span className="config-secret-state">{children}</span>
        <span className="ui-actions">{actions}</span>
      </div>
      <span className="ui-hint">{names.hint(path, field)}</span>
      {error !== null && <span className="ui-field-error">{error}</span>}
    </div>
  )
}

const signingPrefix = 'whsec_'

/** 32 random bytes, as Standard Webhooks writes them. */
function newSigningSecret(): string {
  return signingPrefix + btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
}

function NewSecret({ field, path, isStored }: ControlProps<TextField> & { readonly isStored: boolean }) {
  const { names, draft, set, touch, errorAt } = useForm()
  const texts = useFormTexts()
  const value = textOf(valueAt(draft, path))
  // A secret of ours, which the receiver of alerts needs too: no other party gives it.
  const isMadeHere = names.example(path)?.startsWith(signingPrefix) === true
  const change = (text: string): void => set(path, text === '' && !isStored ? (field.isNullable ? null : undefined) : text)
  return (
    <Field
      label={names.label(path)}
      hint={
        <>
          {names.hint(path, field)}{' '}
          {isStored && (
            <button type="button" className="config-link" onClick={() => set(path, masked)}>
              {texts.keep}
            </button>
          )}{' '}
          {isMadeHere && (
            <button type="button" className="config-link" onClick={() => set(path, newSigningSecret())}>
              {texts.makeSecret}
            </button>
          )}{' '}
          {isMadeHere && value !== '' && (
            <CopyButton text={value} name={names.label(path)} size="s">
              {texts.copySecret}
            </CopyButton>
          )}
        </>
      }
      type="password"
      // A value that a browser would fill in is the person's own password, not this key.
      autoComplete="new-password"
      spellCheck="false"
      value={value}
      onChange={change}
      onBlur={() => touch(path)}
      error={errorAt(path)}
      placeholder={isStored ? texts.newSecret(names.label(path)) : texts.notSet}
    />
  )
}
