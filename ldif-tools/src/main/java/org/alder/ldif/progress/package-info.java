/** Progress of long operations: the numbers ({@code ProgressState}), their text (renderers), and where it goes. */
package org.alder.ldif.progress;
