// Sets the reader's choice of light or dark before anything is drawn.

{
  const wanted = localStorage.getItem("theme");
  if (wanted) document.documentElement.dataset.theme = wanted;
}
