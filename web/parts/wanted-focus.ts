import { useEffect } from 'react'

/** The id of the control that should get the focus once it is drawn. */
let wanted: string | null = null

/** Requests the focus for a control. `isHere`: the control is on the current view, else on the next one. */
export function wantFocus(id: string, isHere: boolean): void {
  const control = isHere ? document.getElementById(id) : null
  wanted = control === null ? id : null
  control?.focus()
}

/** Takes the focus if it was requested before the control was drawn. */
export function useWantedFocus(id: string): void {
  useEffect(() => {
    if (wanted !== id) return
    wanted = null
    document.getElementById(id)?.focus()
  }, [id])
}
