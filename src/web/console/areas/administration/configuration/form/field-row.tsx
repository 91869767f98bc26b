import { useForm } from './form-context.ts'
import { useFormTexts } from './form-texts.ts'
import { ChoiceControl, SetControl, ToggleControl } from './choice-controls.tsx'
import { ItemsControl } from './items-control.tsx'
import { changesBetween } from './changes.ts'
import { chosenOption, type Field, type GroupField, type VariantField } from './schema.ts'
import { SecretControl } from './secret-control.tsx'
import { ColorControl, type ControlProps, NumberControl, TextControl, TextsControl } from './text-controls.tsx'
import { Select } from '../../../../ui/select.tsx'
import { type Path, textOf, valueAt, valuesOf } from './values.ts'
import './form.css'

/** Any field of a form, with its label. `data-field` finds it again, for example to focus it. */
export function FieldRow({ field, path }: ControlProps<Field>) {
  if (field.kind === 'group') return <NestedGroup field={field} path={path} />
  if (field.kind === 'items' || field.kind === 'variant') return <TitledField field={field} path={path} />
  return (
    <div className="config-row" data-field={path.join('.')}>
      <Control field={field} path={path} />
    </div>
  )
}

function Control({ field, path }: ControlProps<Exclude<Field, { kind: 'group' | 'items' | 'variant' }>>) {
  const texts = useFormTexts()
  const { names } = useForm()
  switch (field.kind) {
    case 'text':
      if (field.form === 'SECRET') return <SecretControl field={field} path={path} />
      return field.form === 'COLOR' ? <ColorControl field={field} path={path} /> : <TextControl field={field} path={path} />
    case 'number':
      return <NumberControl field={field} path={path} />
    case 'choice':
      return <ChoiceControl field={field} path={path} />
    case 'toggle':
      return <ToggleControl field={field} path={path} />
    case 'texts':
      return <TextsControl field={field} path={path} />
    case 'set':
      return <SetControl field={field} path={path} />
    case 'unknown':
      return (
        <div className="ui-field">
          <span className="ui-label">{names.label(path)}</span>
          <span>{texts.unknown}</span>
        </div>
      )
  }
}

/** What belongs to a field that has a card of its own: its content without the title. */
export function FieldContent({ field, path }: ControlProps<Field>) {
  if (field.kind === 'group') return <Rows fields={field.fields} path={path} />
  if (field.kind === 'items') {
    return (
      <div data-field={path.join('.')}>
        <ItemsControl field={field} path={path} row={(part, at) => <FieldRow field={part} path={at} />} />
      </div>
    )
  }
  return field.kind === 'variant' ? <VariantControl field={field} path={path} /> : <FieldRow field={field} path={path} />
}

function Rows({ fields, path }: { readonly fields: readonly Field[]; readonly path: Path }) {
  return fields.map((field) => <FieldRow key={field.key} field={field} path={[...path, field.key]} />)
}

function TitledField({ field, path }: ControlProps<Field>) {
  const { names } = useForm()
  return (
    <div role="group" className="config-nested" aria-label={names.label(path)}>
      <h3>{names.label(path)}</h3>
      <p className="ui-hint">{names.hint(path, field)}</p>
      <FieldContent field={field} path={path} />
    </div>
  )
}

/** More fields than this are closed until the person opens them. */
const manyFields = 5

function NestedGroup({ field, path }: ControlProps<GroupField>) {
  const { names, base, draft, errorAt } = useForm()
  const texts = useFormTexts()
  const leaves = leavesOf(field.fields, path)
  if (leaves.length <= manyFields || path.at(-1) === 'fields') return <TitledField field={field} path={path} />
  const around = path.slice(0, -1)
  const isChanged = changesBetween([field], [valueAt(base, around), valueAt(draft, around)]).length > 0
  const isOpen = isChanged || leaves.some((leaf) => errorAt(leaf) !== null)
  return (
    <details className="config-group" {...(isOpen && { open: true })}>
      <summary>
        {names.label(path)} <span className="ui-hint">{texts.names(leaves.length)}</span>
      </summary>
      <Rows fields={field.fields} path={path} />
    </details>
  )
}

function leavesOf(fields: readonly Field[], path: Path): readonly Path[] {
  return fields.flatMap((field) => {
    const own = [...path, field.key]
    return field.kind === 'group' ? leavesOf(field.fields, own) : [own]
  })
}

const none = ''

function VariantControl({ field, path }: ControlProps<VariantField>) {
  const { names, base, draft, set, errorAt } = useForm()
  const texts = useFormTexts()
  const chosen = chosenOption(field, valueAt(draft, path))
  const choose = (id: string): void => {
    const stored = valueAt(base, path)
    const option = field.options.find((one) => one.id === id)
    if (!option) set(path, null)
    else set(path, valuesOf(stored)['id'] === id ? stored : option.usual)
  }
  const options = [
    ...(field.isNullable ? [{ value: none, label: texts.none }] : []),
    ...field.options.map(({ id, title }) => ({ value: id, label: title })),
  ]
  return (
    <>
      <div className="config-row" data-field={path.join('.')}>
        <Select label={names.label(path)} options={options} value={textOf(chosen?.id ?? none)} onChange={choose} error={errorAt(path)} />
      </div>
      {chosen && <Rows key={chosen.id} fields={chosen.fields} path={path} />}
    </>
  )
}
