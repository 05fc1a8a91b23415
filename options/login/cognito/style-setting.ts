/** How the pages of all clients look, as the stack tells the functions. */
export interface ClientStyle {
  /** Another one for each style. */
  readonly id: string;
  /** The color of buttons, as `#rrggbb`, on which white text can be read. */
  readonly color?: string | undefined;
  /** The image above the form. */
  readonly logo?: { readonly path: string; readonly extension: string } | undefined;
}
