import { CopyField } from '../../../ui/copy-field.tsx'
import { tagOf } from './keys.ts'
import { useWidgetTexts } from './texts.ts'

/** What to put on a page for a key. */
export function TagFields({ value }: { readonly value: string }) {
  const texts = useWidgetTexts()
  return (
    <>
      <CopyField label={texts.tag} value={tagOf(value)} isLong />
      <CopyField label={texts.policy} value={location.origin} />
    </>
  )
}
