title = Wondev Woman
push = { $bot } выталкивает юнита { $other }.
blocked = { $bot } натыкается на невидимого юнита: ничего не построено.
point = { $bot } на вершине: { points }.
lead = { $bot } выходит вперёд: { points }.
last_chance = У { $bot } осталось единственное допустимое действие.
stuck = У { $bot } не осталось допустимых действий.
accepted_defeat = поражение признано, счёт: { points }
points =
    { $points ->
        [one] { $points } очко
        [few] { $points } очка
       *[other] { $points } очков
    }
no_action = Ответ { $answer }, а нужно действие вроде MOVE&BUILD 0 N SW.
no_unit = Юнита { $unit } нет: нумерация с 0.
illegal_action = { $action } — недопустимое действие. { $why }

InvalidCommand = В этой лиге нет PUSH&BUILD.
BadCoords = Клетки, на которую ведёт шаг, не существует.
InvalidMove = Клетка, на которую ведёт шаг, выше больше чем на один уровень.
MoveTooHigh = Высота клетки, на которую ведёт шаг, — 4: она закрыта.
MoveOnUnit = На клетке, на которую ведёт шаг, стоит юнит.
InvalidPlace = Клетки, на которой нужно строить, не существует.
PlaceTooHigh = Высота клетки, на которой нужно строить, — 4: она закрыта.
PlaceOnUnit = На клетке, на которой нужно строить, стоит юнит.
PushInvalid = Толкать можно прямо или в соседнее направление — на незакрытую клетку, которая выше не больше чем на один уровень.
PushVoid = Там некого толкать.
FriendlyFire = Своего юнита толкать нельзя.
PushOnUnit = На клетке, куда толкают, уже стоит юнит.


## Слова просмотра

viewer-legal_actions = Допустимых действий
viewer-height = высота
viewer-closed = закрыта
viewer-no_cell = нет клетки
viewer-unit = юнит
viewer-hidden = скрыт
