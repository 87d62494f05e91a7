"""The games: a folder each, with rules, protocol, judge, guide, drawing for the viewer, house bots and starter kits."""
